"""The tagger and the parser among scikit-learn's tools, which see a parameter where ``__init__`` has one."""

import pytest
from parsing_cases import CORPUS, GOLD

from fstce import DependencyParser, TagDictionary, Tagger, neighborhood
from fstce.corpora import sample
from fstce.errors import ParameterError

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.utils import get_tags

SENTENCES = sample()
TRAINING = [sentence for sentence in SENTENCES if len(sentence) <= 9][:60]
TAGS = [sentence.tags for sentence in TRAINING]
DICTIONARY = TagDictionary.from_corpus(SENTENCES, first=150)


class TestParameters:
    def test_clone_has_the_parameters_and_nothing_learned(self):
        tagger = Tagger(order=2, sigma2=0.5, spelling=True, max_iterations=3)
        tagger.fit(TRAINING, dictionary=DICTIONARY)
        copy = clone(tagger)
        assert copy is not tagger
        assert copy.get_params() == tagger.get_params()
        assert not hasattr(copy, "theta_")

    def test_clone_of_a_neighborhood_object(self):
        copy = clone(Tagger(neighborhood=neighborhood("del1word")))
        assert copy.neighborhood.name == "del1word"
        assert copy.neighborhood(["a", "b"]).count() == 3

    def test_round_trip(self):
        tagger = Tagger(neighborhood="length", order=2, decoder="posterior", jobs=2)
        assert Tagger().set_params(**tagger.get_params()).get_params() == tagger.get_params()
        assert Tagger(**tagger.get_params(deep=False)).get_params() == tagger.get_params()

    def test_set_params_returns_the_tagger(self):
        tagger = Tagger()
        assert tagger.set_params(order=1) is tagger
        assert tagger.order == 1

    def test_unknown_parameter(self):
        with pytest.raises(
            ParameterError,
            match=r"no parameter 'sigma'.* neighborhood, order, parts, reading_tags, sigma2",
        ):
            Tagger().set_params(sigma=1.0)

    def test_tags(self):
        tags = get_tags(Tagger())
        assert tags.estimator_type is None
        assert not tags.target_tags.required
        assert tags.requires_fit


class TestSelection:
    def test_grid_search(self):
        search = GridSearchCV(
            Tagger(order=2, max_iterations=5),
            {"sigma2": [0.1, 1.0], "neighborhood": ["trans1", "del1word"]},
            cv=3,
            error_score="raise",
        )
        search.fit(TRAINING, TAGS, dictionary=DICTIONARY)
        assert set(search.best_params_) == {"sigma2", "neighborhood"}
        assert 0 < search.best_score_ <= 1
        assert search.best_estimator_.predict(TRAINING[:1]) == search.predict(TRAINING[:1])

    def test_grid_search_scores_are_those_of_the_folds_by_hand(self):
        folds = KFold(2)
        search = GridSearchCV(
            Tagger(order=1, max_iterations=5), {"sigma2": [0.5]}, cv=folds, refit=False
        )
        search.fit(TRAINING, TAGS, dictionary=DICTIONARY)
        for number, (train, test) in enumerate(folds.split(TRAINING)):
            tagger = Tagger(order=1, max_iterations=5, sigma2=0.5)
            tagger.fit([TRAINING[i] for i in train], dictionary=DICTIONARY)
            expected = tagger.score([TRAINING[i] for i in test], [TAGS[i] for i in test])
            assert search.cv_results_[f"split{number}_test_score"][0] == pytest.approx(expected)

    def test_cross_validation_without_labels_takes_the_criterion(self):
        scores = cross_val_score(
            Tagger(order=1, max_iterations=3),
            [list(sentence) for sentence in TRAINING],
            cv=2,
            params={"dictionary": DICTIONARY},
            error_score="raise",
        )
        assert len(scores) == 2
        assert max(scores) < 0


class TestParser:
    ROWS = [list(tags) for tags in CORPUS * 3]
    HEADS = GOLD * 3

    def test_clone_has_the_parameters_and_nothing_learned(self):
        parser = DependencyParser("length", sigma2=0.5, annealing=(0.5, 1)).fit(self.ROWS)
        copy = clone(parser)
        assert copy.get_params() == parser.get_params()
        assert not hasattr(copy, "theta_")
        assert get_tags(copy).estimator_type is None
        assert not get_tags(copy).target_tags.required

    def test_grid_search_scores_are_those_of_the_folds_by_hand(self):
        folds, grid = KFold(3), {"criterion": ["joint", "contrastive"], "sigma2": [0.5]}
        search = GridSearchCV(DependencyParser("trans1"), grid, cv=folds, error_score="raise")
        search.fit(self.ROWS, self.HEADS)
        assert search.best_params_["criterion"] == "joint"
        assert search.predict(self.ROWS[:1]) == search.best_estimator_.predict(self.ROWS[:1])
        for number, (train, test) in enumerate(folds.split(self.ROWS)):
            parser = DependencyParser("trans1", sigma2=0.5).fit([self.ROWS[i] for i in train])
            expected = parser.score([self.ROWS[i] for i in test], [self.HEADS[i] for i in test])
            assert search.cv_results_[f"split{number}_test_score"][1] == pytest.approx(expected)

    def test_cross_validation_without_trees_takes_the_criterion(self):
        scores = cross_val_score(DependencyParser(), self.ROWS, cv=3, error_score="raise")
        assert len(scores) == 3
        assert max(scores) < 0
