"""The parser that one latent grammar and a product of several are: words in, trees out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fstce.corpora import Sentence, Tree
from fstce.corpora.words import checked_sentences, instances, listed
from fstce.errors import CorpusError
from fstce.estimation.estimator import Estimator
from fstce.evaluation import evalb_scores
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser, ParseReport
from fstce.numeric.types import Sentences
from fstce.parameters.rules import is_listable

Trees = Iterable[Tree]


class TreeParser(Estimator):
    """A parser of one grammar or of several: words in, trees out.

    ``report_``: how the sentences of the last call fared.
    """

    max_length: int
    report_: ParseReport

    def predict(self, sentences: Sentences) -> list[Tree]:
        """The best tree of each sentence.

        Parameters
        ----------
        sentences : iterable of sequences of str
            Words, spelt as in the treebank: a bracket is ``-LRB-`` there.

        Returns
        -------
        list of Tree
            A sentence that cannot be parsed has a coarse or a flat tree; see ``report_``.

        Raises
        ------
        CorpusError
            A sentence is empty or a string, or holds what is no word.

        Examples
        --------
        >>> from fstce import LatentGrammar
        >>> from fstce.corpora import sample
        >>> grammar = LatentGrammar(cycles=0).fit(sample()[:8])
        >>> grammar.predict([["the", "lamp"]])[0].leaves()
        ('the', 'lamp')
        """
        parser = self._parser()
        trees = parser.parse_all(checked_sentences(sentences, least=0))
        self.report_ = parser.report
        return trees

    def score(self, sentences: Sentences, trees: Trees) -> float:
        """Labeled F1 by EVALB's definition, as a share of 1.

        A word counts as punctuation if its gold tag says so, whatever the predicted one.

        Parameters
        ----------
        sentences : iterable of sequences of str
        trees : iterable of Tree
            The gold tree of each.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> from fstce import LatentGrammar
        >>> from fstce.corpora import sample
        >>> grammar = LatentGrammar(cycles=0).fit(sample()[:8])
        >>> tree = sample()[0].tree
        >>> 0 <= grammar.score([tree.leaves()], [tree]) <= 1
        True
        """
        predicted = self.predict(sentences)
        scores = evalb_scores(list(instances(trees, Tree, "trees")), predicted, disagreement="gold")
        return scores.total().f1 / 100

    def members(self) -> Sequence[Any]:
        """The trained grammars; raises NotFittedError where one is not trained."""
        raise NotImplementedError

    def _parser(self) -> CoarseToFineParser:
        self._check_parameters()
        hierarchies = [grammar.hierarchy_ for grammar in self.members()]
        combination: Any = getattr(self, "combination", "product")
        return CoarseToFineParser(hierarchies, combination, max_length=self.max_length)


def with_trees(sentences: Sentences | Trees, trees: Trees | None = None) -> list[Sentence]:
    """Sentences that carry their trees, from what ``fit`` takes."""
    items = listed(sentences, "sentences")
    if trees is not None:
        words_of_item, items = items, list(instances(trees, Tree, "trees"))
        if len(words_of_item) != len(items):
            raise CorpusError(
                f"{len(words_of_item)} sentences but {len(items)} trees; give one for each"
            )
        for number, (words, tree) in enumerate(zip(words_of_item, items, strict=True), 1):
            if not is_listable(words) or tuple(words) != tree.leaves():
                raise CorpusError(f"sentence {number}: the words are not those of its tree")
    return [_with_tree(item, number) for number, item in enumerate(items, 1)]


def _with_tree(item: Any, number: int) -> Sentence:
    """The sentence of an item that ``fit`` was given, which has the number."""
    if isinstance(item, Sentence):
        return item
    if not isinstance(item, Tree):
        raise CorpusError(
            f"item {number} is neither a tree nor a sentence with one; "
            "give trees as the second argument"
        )
    if not item.leaves():
        raise CorpusError(f"tree {number} has no words")
    return Sentence(item.leaves(), tree=item, source=f"tree {number}")
