"""Any machine, neighborhood or model as a page that a reader can look around in.

=================  =============================================================================
``inspect``        from a file, name, machine or model to its page
``page``           `Inspection`: the page
``targets``        neighborhoods and models as pages
``properties``     what ``fstinfo`` tells, and what it means; sizes, dead states, ambiguity
``strings``        all strings, or the best; what all paths weigh
``records``        a machine as the page's script reads it, with its layout
=================  =============================================================================
"""
