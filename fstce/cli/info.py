"""``fstce info``: what a model folder, a machine or a corpus holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fstce.cli.machine.info import SUFFIXES, machine_facts
from fstce.cli.verbs import GROUPS
from fstce.console.completion import corpora
from fstce.console.models import kind_of, load
from fstce.console.options import FormatOption, argument, option
from fstce.console.output import count, facts, table
from fstce.console.texts import dictionary_of, is_tagged, read
from fstce.induction.verbs.report import show_model as show_constituents
from fstce.latent.verbs.train import learned

if TYPE_CHECKING:
    from fstce.corpora import Sentence, TagDictionary
    from fstce.correction.corrector import Corrector
    from fstce.correction.parsed.corrector import ParsedCorrector
    from fstce.estimation.estimator import Estimator
    from fstce.estimation.maximize import Training
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.product import GrammarProduct
    from fstce.parsing.parser import DependencyParser
    from fstce.parsing.product import ParserProduct
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger

TOP = 10
MODEL_FILES = ("model.json", "weights.npz")
Facts = list[tuple[str, str]]
Name = tuple[str, ...]


def info(
    path: Annotated[
        str, argument("PATH", "A model's folder, a .fst or .far file, or a corpus.", complete=corpora)
    ],
    format: FormatOption = None,
    dictionary: Annotated[
        str | None, option("--dictionary -d", "Also what a dictionary lists of the corpus.")
    ] = None,
) -> None:
    """Say what a model, a machine or a corpus holds.

    \b
    Examples:
      fstce info model
      fstce info lattice.fst
      fstce info machines.far
      fstce info sample
      fstce info text.txt --dictionary words.tsv
    """
    place = Path(path)
    if any((place / name).exists() for name in MODEL_FILES):
        _show_model(place)
    elif place.suffix.lower() in SUFFIXES:
        facts(machine_facts(place))
    else:
        sentences = read(path, format)
        facts(corpus_facts(sentences))
        if dictionary is not None:
            print()
            _show_coverage(dictionary_of(dictionary, sentences), sentences)


def corpus_facts(sentences: Sequence[Sentence]) -> Facts:
    """The sizes of a corpus; of a tagged one, its tags and how ambiguous they leave a word."""
    words = [word for sentence in sentences for word in sentence]
    found = [
        ("sentences", f"{len(sentences):,}"),
        ("words", f"{len(words):,}"),
        ("types", f"{len(set(words)):,}"),
        ("longest", count(max(map(len, sentences)), "word")),
    ]
    return [*found, *_tag_facts(sentences)] if is_tagged(sentences) else [*found, ("tags", "none")]


def _show_coverage(entries: TagDictionary, sentences: Sequence[Sentence]) -> None:
    """What a dictionary lists of a corpus, and its most frequent words that are not listed."""
    found = entries.coverage(sentences)
    seen = {tag for sentence in sentences for tag in sentence.tags or ()}
    foreign = sorted(seen - set(entries.tagset))
    facts(
        [
            (
                "words listed",
                f"{found.listed:,} of {found.tokens:,} ({_percent(found.listed, found.tokens)})",
            ),
            ("types listed", f"{found.listed_types:,} of {found.types:,}"),
            ("tags a word", f"{found.tags_a_token:.2f} of those listed"),
            ("tags never used", " ".join(found.unused) or "none"),
            *([("tags unknown to it", " ".join(foreign) or "none")] if seen else []),
        ]
    )
    if found.unlisted:
        print()
        table(("never listed", "count"), [(word, f"{n:,}") for word, n in found.unlisted[:TOP]], numbers=(1,))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _tag_facts(sentences: Sequence[Sentence]) -> Facts:
    from fstce.corpora import TagDictionary

    dictionary = TagDictionary.from_corpus(sentences)
    return [
        ("tags", f"{len(dictionary.tagset)}: {' '.join(dictionary.tagset)}"),
        ("ambiguity", f"{dictionary.ambiguity(sentences):.2f} tags a word"),
    ]


def _show_model(folder: Path) -> None:
    """Parameters, what was learnt, the heaviest features."""
    model = load(folder, *GROUPS)
    shown: dict[str, Callable[[Any], None]] = {
        "dependency parser": _show_parser,
        "parser product": _show_parsers,
        "latent grammar": _show_latent,
        "grammar product": _show_latent,
        "tagger product": _show_taggers,
        "constituent grammar": show_constituents,
        "corrector": _show_corrector,
        "parsed corrector": _show_corrector,
    }
    shown.get(kind_of(folder), _show_tagger)(model)


def _show_tagger(tagger: Tagger) -> None:
    facts([*_parameters(tagger), *_learned(tagger)])
    _show_heaviest(_heaviest(list(zip(tagger.features_.names(), tagger.theta_.tolist(), strict=True))))


def _show_taggers(product: TaggerProduct) -> None:
    """The members, and what they share."""
    members = [(f"tagger {number}", repr(member)) for number, member in enumerate(product.taggers, 1)]
    tags = ("tags", f"{len(product.tags_)}: {' '.join(product.tags_)}")
    words = count(len(product.dictionary_), "word")
    facts([*members, ("decoder", product.decoder), tags, ("dictionary", words)])


def _show_parser(parser: DependencyParser) -> None:
    facts([*_parameters(parser), *_grammar(parser)])
    _show_heaviest(_heaviest_of_grammar(parser))


def _show_parsers(product: ParserProduct) -> None:
    """The members, and the tags of them all."""
    members = [(f"parser {number}", repr(member)) for number, member in enumerate(product.parsers, 1)]
    tags = product.model_.tags
    facts([*members, ("decoder", product.decoder), ("tags", f"{len(tags)}: {' '.join(tags)}")])


def _show_heaviest(rows: list[tuple[str, str, str]]) -> None:
    print()
    table(("feature", "", "weight"), rows, numbers=(2,))


def _show_corrector(corrector: Corrector | ParsedCorrector) -> None:
    """Parameters, the sizes of what was learnt, the exponents."""
    found = [*_parameters(corrector), ("words", f"{len(corrector.vocabulary_):,}")]
    if hasattr(corrector, "lexicon_"):
        found.append(("lexicon", f"{len(corrector.lexicon_):,}"))
    else:
        found += _grammar(corrector.parser_)
    facts(
        [*found, *((f"exponent of {name}", f"{value:.3g}") for name, value in corrector.exponents_.items())]
    )


def _show_latent(model: LatentGrammar | GrammarProduct) -> None:
    """Parameters, what was learnt, the symbols that are split most."""
    members = model.members()
    given = [*_parameters(members[0])]
    if len(members) > 1 or model is not members[0]:
        seeds = " ".join(str(member.seed) for member in members)
        own = [(name, value) for name, value in _parameters(model) if name != "grammars"]
        given = [("grammars", f"{len(members)}, of seeds {seeds}"), *own, *given]
    facts([*dict(given).items(), *learned(model)])
    grammar = members[0].hierarchy_.finest
    sizes = dict(zip(grammar.symbols, grammar.sizes.tolist(), strict=True))
    top = sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))[:TOP]
    print()
    table(("symbol", "subcategories"), [(name, str(size)) for name, size in top], numbers=(1,))


def _parameters(model: Estimator) -> Facts:
    return [(name, str(getattr(value, "name", value))) for name, value in model.get_params().items()]


def _learned(tagger: Tagger) -> Facts:
    return [
        ("tags", f"{len(tagger.tags_)}: {' '.join(tagger.tags_)}"),
        ("dictionary", count(len(tagger.dictionary_), "word")),
        ("features", _kinds(tagger.features_.names())),
        *([("weights not zero", f"{int((tagger.theta_ != 0).sum()):,}")] if tagger.l1 else []),
        *(_course(tagger.training_) if hasattr(tagger, "training_") else ()),
    ]


def _grammar(parser: DependencyParser) -> Facts:
    model = parser.model_
    recipe = parser.recipe
    contrast = recipe.criterion in ("contrastive", "correction")
    against = f" against {recipe.neighborhood}" if contrast else ""
    second = f", then with the rules {parser.attachment_rules}" if recipe.staged else ""
    learnt = f"{recipe.criterion}{against} from the start {recipe.start}"
    found = [
        ("recipe", f"{learnt}, structural bias {recipe.structural_bias:g}{second}"),
        ("tags", f"{model.n_tags}: {' '.join(model.tags)}"),
        ("features", _kinds(model.names)),
    ]
    if parser.left_out_:
        found.append(("left out", count(parser.left_out_, "tree") + ", not projective"))
    return [*found, *_course(parser.training_)] if hasattr(parser, "training_") else found


def _kinds(names: Iterable[Name]) -> str:
    return ", ".join(f"{n:,} {kind}" for kind, n in Counter(name[0] for name in names).items())


def _course(training: Training) -> Facts:
    iterations = training.steps[-1].iteration if training.steps else 0
    return [
        ("objective", f"{training.objective:,.3f} nats with the prior"),
        ("iterations", f"{iterations}, stopped: {training.stopped}"),
    ]


def _heaviest_of_grammar(parser: DependencyParser) -> list[tuple[str, str, str]]:
    """The heaviest weights; of a generative grammar the likeliest roots and kids, as stopping is near 1."""
    from fstce.parsing.criteria import LOCAL

    weights = list(parser.weights().items())
    if parser.recipe.criterion not in LOCAL:
        return _heaviest(weights)
    return _heaviest([(name, weight) for name, weight in weights if name[0] != "stop"], likely=True)


def _heaviest(weights: list[tuple[Name, float]], likely: bool = False) -> list[tuple[str, str, str]]:
    """The features with the largest weights in size, or of log-probabilities the greatest."""
    top = sorted(weights, key=lambda pair: -pair[1] if likely else -abs(pair[1]))[:TOP]
    return [(name[0], " ".join(name[1:]), f"{weight:+.3f}") for name, weight in top]
