"""What a model author writes: a grammar's structure, features and tables, as data and short builders."""
