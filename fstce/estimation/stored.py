"""What is saved and loaded: a model's state, its parameters, how its text was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import index
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from fstce.corpora.conventions import Conventions
from fstce.corpora.recognition import conventions_of
from fstce.estimation.parametric import Parametric
from fstce.numeric.types import PathName, Rows
from fstce.parameters.rules import choice
from fstce.parameters.tables import check_arguments
from fstce.storage.state import State, load_state, parameters_of, save_state

Self = TypeVar("Self", bound="Stored")

TAG_COLUMN = choice("xpos", "upos").or_none()


class Stored(Parametric):
    """An estimator with a state on disk, which says what kind of model it is (`KIND`).

    The examples of the methods go on with that of :class:`fstce.Tagger`.
    """

    KIND: ClassVar[str]

    tokenization_: Mapping[str, Any] = MappingProxyType({})
    _recorded: Mapping[str, Any] | None = None  # what this object has put there itself
    _text_size: tuple[int, int] | None = None  # sentences and words of the training text

    def save(self, folder: PathName) -> None:
        """Save the trained model as a folder; an interrupted save leaves what was there.

        Parameters
        ----------
        folder : path
            A new or empty folder, or that of an earlier model of this kind, which is replaced.

        Raises
        ------
        NotFittedError
            There is nothing trained to save.
        ModelFileError
            The folder holds something else, or cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tagger.save(folder)
        """
        check_arguments(folder=folder)
        save_state(self._whole_state(), folder)

    @classmethod
    def load(cls: type[Self], folder: PathName) -> Self:
        """Load a saved model: it predicts as the one that was saved, to the bit.

        Parameters
        ----------
        folder : path

        Returns
        -------
        The model.

        Raises
        ------
        ModelFileError
            A file is missing, damaged, foreign or of another version; names it.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tagger.save(folder)
        ...     Tagger.load(folder).predict([["we"]])
        [['P']]
        """
        check_arguments(folder=folder)
        return load_state(folder, cls.KIND, cls._of_whole_state)

    def to_state(self) -> State:
        """All that is saved of a trained model.

        Returns what is written into a model's folder.
        """
        raise NotImplementedError

    @classmethod
    def from_state(cls: type[Self], state: State) -> Self:
        """The model of a saved state."""
        raise NotImplementedError

    @classmethod
    def of_parameters(cls: type[Self], entries: Mapping[str, Any], **own: Any) -> Self:
        """An untrained model with the parameters among a manifest's entries.

        ``**own``: parameters that the manifest has in another form, or not at all.
        """
        parameters = {**parameters_of(entries), **own}
        for name, value in parameters.items():
            if name in cls.rules:
                cls.rules[name].check(**{name: value})

        model = cls(**parameters)
        model._named_by_file = True
        return model

    def _whole_state(self) -> State:
        """The state, and what is known of the text of the training."""
        state = self.to_state()
        entries = dict(state.entries)
        tokenization = self._tokenization()
        if tokenization:
            entries["text"] = dict(tokenization)
        if self._text_size is not None:
            entries["trained_on"] = list(self._text_size)
        return replace(state, entries=entries)

    @classmethod
    def _of_whole_state(cls: type[Self], state: State) -> Self:
        """The model of a saved state, with what is known of the text of the training."""
        model = cls.from_state(state)
        if "text" in state.entries:
            model.tokenization_ = state.entry("text", dict)
            conventions = model.tokenization_.get("conventions", {})
            Conventions.from_dict(conventions)  # raises where they are none
            TAG_COLUMN.check(tag_column=model.tokenization_.get("tag_column"))
        if "trained_on" in state.entries:
            sentences, words = state.entry("trained_on", list)
            model._text_size = index(sentences), index(words)  # raises where they are no numbers
        return model

    def _parts(self) -> Sequence[Stored]:
        """The estimators that this one is made of, if it is made of some."""
        return ()

    def _tokenization(self) -> Mapping[str, Any]:
        """How the training text was cut into words; of a product, as its first member says."""
        if self.tokenization_:
            return self.tokenization_
        return next((part.tokenization_ for part in self._parts() if part.tokenization_), {})

    def _record_size(self, sentences: Rows) -> None:
        self._text_size = len(sentences), sum(map(len, sentences))

    def _record_tokenization(self, sentences: Rows) -> None:
        """Keep the text's size, and how it was cut into words, unless its reader has said so."""
        self._record_size(sentences)
        if self.tokenization_ and self.tokenization_ is not self._recorded:
            return

        conventions = conventions_of(sentences)
        self._recorded = {} if conventions is None else {"conventions": conventions.to_dict()}
        self.tokenization_ = self._recorded
