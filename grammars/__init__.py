"""Models as their authors write them: structure, features and tables, short builders."""
