"""Files and model folders that are written whole or not at all.

============  =========================================================
``atomic``    a file replaced in one step
``folder``    a model folder replaced in one step
``manifest``  ``model.json``: what a folder holds, and that it is whole
``state``     what estimators write into manifests and read from them
============  =========================================================
"""
