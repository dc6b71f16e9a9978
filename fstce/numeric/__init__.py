"""Numbers under every dynamic program; knows neither machines nor text.

=============  =================================================
``semirings``  real, log, tropical, expectation
``kernels``    the sparse loops of scipy, and numpy's in reserve
=============  =================================================
"""
