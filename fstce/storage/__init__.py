"""Files and model folders that are written whole or not at all.

============  =========================================================
``atomic``    a file replaced in one step; files that users name, read within bounds
``folder``    a model folder replaced in one step; ``model.json``: what it holds
``arrays``    ``.npz`` files whose headers are checked before memory is taken
``packed``    the arrays of a shard in one file, mapped into memory
``scratch``   temporary folders, swept after a kill
``state``     what a model is made of, apart from the class that computes with it
============  =========================================================
"""
