"""Split–merge–smooth training (Petrov et al. 2006).

======================  =================================================
``trainer``             the cycles
``estimates``           the schedule, and all that training changes
``treebank``            trees as arrays; the unsplit grammar
``forest``              all trees as one packed forest
``tree_insideoutside``  inside and outside passes over the observed trees
``split``               each subcategory in two; smoothing
``merge``               undoing the splits that matter least
======================  =================================================
"""
