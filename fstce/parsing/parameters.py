"""What the parameters of dependency parsers may be and what each is."""

from __future__ import annotations

from fstce.parameters.rules import FLAG, PATH, POSITIVE, Table, choice, real
from fstce.parameters.tables import BETAS, JOBS, NEIGHBORHOOD, NOT_NEGATIVE, TRAINING, VARIANCE

DEPENDENCY_PARSER: Table = {
    **TRAINING,
    "neighborhood": NEIGHBORHOOD.says(
        "What each sentence is contrasted with: a name, an expression, a file of yours; ``auto`` "
        "names none, which is ``trans1`` where the criterion needs one."
    ),
    "sigma2": VARIANCE,
    "criterion": choice(
        "auto", "contrastive", "em", "joint", "conditional", "supervised-contrastive"
    ).says(
        "What is maximized. ``contrastive`` and ``em`` learn from tags alone; "
        "``joint`` (counting), ``conditional`` and ``supervised-contrastive`` from trees. ``auto`` "
        "is what the measurements recommend without trees: EM over trees whose heads are headed "
        "and near, or which satisfy the rules; or contrastive, where a neighborhood is named."
    ),
    "smoothing": NOT_NEGATIVE.says(
        "λ, added to every count of a generative grammar (``em``, ``joint``)."
    ),
    "start": choice("uniform", "random", "klein-manning", "headedness")
    .or_none()
    .says(
        "All weights zero; moved by normal noise of standard deviation 0.1, or 1 in a generative "
        "grammar; Klein & Manning's harmonic start; or the grammar of trees whose heads are headed "
        "and near. None for the criterion's own: for ``auto`` without a neighborhood the grammar of "
        "the trees that weigh most there, else uniform."
    ),
    "restarts": POSITIVE.says(
        "How many random starts are climbed, of which that with the best objective counts; 1 is "
        "the one that ``start`` names."
    ),
    "annealing": BETAS.or_none().says(
        "Inverse temperatures that rise to 1, for deterministic annealing; None for none."
    ),
    "attachment_rules": PATH.or_none().says(
        "Which tag may govern which, where ``auto`` learns without a neighborhood: a file, or "
        "``penn``, ``penn-content``, ``upos``, ``upos-functional``. As many edges as can are to "
        "satisfy them, and in parsing each head that the rules' own best tree has, too, weighs "
        "about two nats more, unless ``head_final`` or trees beside the text say more of order; "
        "what is learned is weakly supervised."
    ),
    "head_final": FLAG.says(
        "Whether heads follow their dependents where a rule does not name the side."
    ),
    "structural_bias": real()
    .or_none()
    .says(
        "δ, the nats that a tree gains in training without trees for every word that a link spans; "
        "below 0 for short links (Smith & Eisner 2006). None for the criterion's own: −0.6 for "
        "``auto`` without a neighborhood, −0.1 with rules or trees, both in parsing, too; else 0."
    ),
    "jobs": JOBS.or_none().says(
        "Threads that add up while training; None for one, −1 for one a core. No number changes a "
        "bit of what is learned."
    ),
}
