"""The contrastive dependency grammar (Smith & Eisner 2005b) and its rivals."""
