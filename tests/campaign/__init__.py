"""The fault-injection campaign: damaged input, full disks, kills, hostile authors; ``make campaign``.

Not part of the suite. Every case is made of a seed and its number, so that it can be run again
by its key; a log of what is done makes the campaign resumable.

============== =================================================================================
``child``      one command in a forked child, with a budget of processor time and memory
``verdict``    what its end means: fine, hung, crashed, lost, wrong, unclear, over budget
``mutators``   what is done to bytes
``specimens``  a healthy file of each format, a model of each kind
``reading``    damaged files of every format that is read
``models``     damaged model folders, with and without digests that agree
``columns``    CoNLL-U with all that it may have, through what changes a part of it
``openings``   a pipe, a device or an endless file for every option that names a file
``programs``   tokenizers that live as long as the command, and answer well or badly
``saving``     a fault at each step in the file system while a model or a file is written
``writing``    every verb that writes: full disks, signals, over its input, two writers
``gradients``  slopes of what training maximizes, by differences
``killing``    SIGKILL at random moments of long verbs; resumed, the same bytes
``authors``    neighborhoods of people who mean no good, or made a mistake
``options``    wrong values of options
``places``     closed descriptors, full devices, FIFOs, links, little memory, foreign files
``soak``       ten commands side by side, and a thousand calls in one process; ``make soak``
``__main__``   the loop, the log and the table
============== =================================================================================
"""
