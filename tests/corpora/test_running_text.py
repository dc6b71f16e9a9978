"""Lines of text as sentences and words."""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path
from shlex import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_cases import f1, found_by, passages, sentences_of, written

from fstce import Corrector, DirectedAlignment, LatentGrammar, Tagger
from fstce.corpora import TextReader, read_corpus, sample
from fstce.corpora.conventions import ENGLISH, PENN, Conventions
from fstce.corpora.recognition import recognize
from fstce.corpora.running_text import Token, cut_sentences, looks_tokenized, tokenize
from fstce.correction.decoding import Change
from fstce.correction.spacing import restore
from fstce.errors import CorpusError, ParameterError
from fstce.processes.line_program import LineProgram

# Text with | around its words and ¶ between its sentences: written for this test, one a script.
HAND = {
    "Latin, English": "The| |cat| |did|n't| |see| |Mr.| |Fox|,| |who| |(|alas|)| |left| |at| |3.30|.|¶"
    '"|Really|?|"| |she| |asked|.|¶That|\'s| |all|!',
    "Latin, Turkish": "Ankara'ya| |saat| |9'da| |gidiyorum|.|¶Sen| |geliyor| |musun|?",
    "Latin, Yoruba": "Ọmọ| |náà| |ń| |ka| |ìwé|.|¶Ó| |dára|!",
    "Cyrillic": "Он| |пришёл|,| |увидел| |и| |ушёл|.|¶Почему|?|¶–| |Не| |знаю|…",
    "Greek": "Πού| |είσαι|;|¶Εδώ|,| |στο| |σπίτι|.",
    "Arabic": "أين| |الكتاب|؟|¶هو| |على| |الطاولة|،| |قرب| |النافذة|.",
    "Hebrew": 'שָׁלוֹם|,| |מה| |נשמע|?|¶צה"ל| |הודיע| |היום|.',
    "Devanagari": "यह| |हिन्दी| |है|।|¶क्या| |आप| |समझे|?",
    "Tamil": "இது| |தமிழ்| |மொழி|.|¶நன்றி|!",
    "Armenian": "Սա| |գիրք| |է|։|¶Այո|,| |գիտեմ|։",
    "Georgian": "ეს| |წიგნია|.|¶კარგია|!",
    "Hangul": "나는| |학교에| |간다|.|¶정말|?",
    "Ethiopic": "ሰላም| |ነው|።|¶እሺ|።",
    "emoji and addresses": "See| |https://a.org/b?c|,| |#fun| |👩‍👩‍👧|!|¶Mail| |me@x.org|.",
}


@pytest.mark.parametrize("script", HAND)
def test_words_and_sentences_of_hand_made_texts_in_many_scripts(script: str) -> None:
    wanted = [
        [word for word in part.split("|") if word.strip()] for part in HAND[script].split("¶")
    ]
    line = HAND[script].replace("|", "").replace("¶", " ")
    assert [list(sentence) for sentence in TextReader(raw=True).sentences(line, "a:1")] == wanted


@given(
    st.text(max_size=60),
    st.sampled_from([ENGLISH, PENN, Conventions("ud", ("l'",), hyphens=False)]),
)
def test_every_sentence_keeps_its_text_and_its_words_their_places(
    line: str, conventions: Conventions
) -> None:
    try:
        found = TextReader(conventions, raw=True).sentences(line, "a:1")
    except CorpusError:
        return
    at = 0
    for sentence in found:
        at = line.index(sentence.text, at) + len(sentence.text)
        assert len(sentence.spans or ()) == len(sentence)
    assert "".join("".join(s.text for s in found).split()) == "".join(line.split())


def test_penn_spells_brackets_quotes_and_what_is_written_together() -> None:
    (sentence,) = TextReader(PENN, raw=True).sentences(
        'He “cannot” say "no (yet)", don’t you think', "a:1"
    )
    assert str(sentence) == "He `` can not '' say `` no -LRB- yet -RRB- '' , do n't you think"
    assert sentence.spans is not None
    assert sentence.spans[2] == sentence.spans[3] == (4, 10)


@pytest.mark.parametrize(
    ("lines", "tokenized"),
    [
        (["Washington , D.C.", "He said , no .", "Well , yes ."], True),
        (["He said: no.", "Well, yes."], False),
        (["no marks", "at all"], None),
        (["Vraiment ?", "Oui !"], None),
    ],
)
def test_a_text_is_tokenized_if_its_marks_stand_alone(
    lines: list[str], tokenized: bool | None
) -> None:
    reader = TextReader()
    reader.decide(lines)
    assert reader.tokenized is tokenized


def test_what_is_asked_for_is_not_guessed() -> None:
    assert TextReader(raw=True).sentences("a , b", "a:1")[0].words == ("a", ",", "b")
    assert TextReader(raw=False).sentences("a, b.", "a:1")[0].words == ("a,", "b.")


@pytest.mark.parametrize(
    ("broken", "cut"),
    [
        ("我们昨天去了图书馆借了几本书。", "我们 昨天 去 了 图书馆 借 了 几 本 书 。"),
        ("私は昨日図書館に行きました。", "私 は 昨日 図書館 に 行き まし た 。"),
        ("ผมไปโรงเรียนทุกวันกับเพื่อนของผม", "ผม ไป โรงเรียน ทุก วัน กับ เพื่อน ของ ผม"),
        ("ខ្ញុំទៅសាលារៀនរាល់ថ្ងៃជាមួយមិត្ត", "ខ្ញុំ ទៅ សាលារៀន រាល់ ថ្ងៃ ជាមួយ មិត្ត"),
        ("ຂ້ອຍໄປໂຮງຮຽນທຸກມື້ກັບໝູ່", "ຂ້ອຍ ໄປ ໂຮງຮຽນ ທຸກ ມື້ ກັບ ໝູ່"),
        ("ကျွန်တော်ကျောင်းကိုနေ့တိုင်းသွားပါတယ်", "ကျွန်တော် ကျောင်း ကို နေ့ တိုင်း သွား ပါ တယ်"),
    ],
)
def test_unbroken_text_is_refused_with_advice_and_cut_text_is_legal(broken: str, cut: str) -> None:
    with pytest.raises(CorpusError, match=r"a:1: text without blanks.*--tokenized"):
        TextReader(raw=True).sentences(broken, "a:1")
    assert [w for s in TextReader(raw=True).sentences(cut, "a:1") for w in s] == cut.split()
    assert TextReader(raw=False).sentences(broken, "a:1")
    guessing = TextReader()
    guessing.decide(["a , b ."])
    with pytest.raises(CorpusError, match="text without blanks"):
        guessing.sentences(broken, "a:1")


def test_sentences_do_not_end_at_abbreviations_initials_or_before_lower_case() -> None:
    line = 'Mr. J. Fox of Smith & Co. left. "Go!" he said... and went. 1. First. Then?! Yes'
    parts = [line[part[0].start : part[-1].end] for part in cut_sentences(line, tokenize(line))]
    assert parts == [
        "Mr. J. Fox of Smith & Co. left.",
        '"Go!" he said... and went.',
        "1. First.",
        "Then?!",
        "Yes",
    ]


def test_a_tokenizer_of_ones_own_is_a_callable_or_a_command() -> None:
    assert TextReader(tokenizer=list).sentences("a b", "a:1")[0].words == ("a", "b")
    script = "import sys\nfor line in sys.stdin: print(' '.join(line.strip()), flush=True)"
    reader = TextReader(tokenizer=LineProgram(f'{quote(sys.executable)} -c "{script}"'))
    assert [s.words for line in ("我们去", "好") for s in reader.sentences(line, "a:1")] == [
        ("我", "们", "去"),
        ("好",),
    ]
    assert next(iter(reader.sentences("我们", "a:1"))).spans == ((0, 1), (1, 2))
    with pytest.raises(ParameterError, match="tokenizer 'no-such-program-here' cannot be run"):
        TextReader(tokenizer=LineProgram("no-such-program-here")).sentences("a", "a:1")
    with pytest.raises(
        ParameterError, match="a:1: tokenizer 'true' ended, or reads no more, without"
    ):
        TextReader(tokenizer=LineProgram("true")).sentences("a", "a:1")


@pytest.mark.parametrize("raw", [None, True])
def test_an_unbroken_text_of_short_clauses_alone_is_refused(raw: bool | None) -> None:
    broken = ["我喜欢读书。今天天气很好！", "他去学校了吗？我不知道。"] * 5
    with pytest.raises(CorpusError, match="a:1: text without blanks"):
        list(sentences_of(iter(enumerate(broken, 1)), "a", "plain", text=TextReader(raw=raw)))
    cut = ["我 喜欢 读书 。 施瓦辛格 先生 来 了", "コンピューター を 買っ た 。"] * 5
    found = sentences_of(iter(enumerate(cut, 1)), "a", "plain", text=TextReader(raw=raw))
    assert len(list(found)) >= 10


def test_short_lines_of_an_unbroken_text_are_refused_too() -> None:
    reader = TextReader()
    for line in ("我们昨天去了图书馆借了几本书。", "他很高兴。"):
        with pytest.raises(CorpusError, match="without blanks"):
            reader.sentences(line, "a:1")
    assert TextReader().sentences("他 很 高兴 。", "a:1")


def test_words_of_the_sample_are_found_again() -> None:
    """The bundled trees, written as a writer would, cut again by the conventions read off them."""
    sentences = read_corpus("sample")
    reader = TextReader(recognize(sentences), raw=True)
    wrong = [
        s for s in sentences if [w for t in reader.sentences(written(s), "a:1") for w in t] != [*s]
    ]
    assert len(wrong) <= len(sentences) // 100, [(str(s), written(s)) for s in wrong[:5]]


UD = Path(__file__).parents[3] / "shared/data/ud"


@pytest.mark.skipif(not UD.is_dir(), reason="the treebanks of Universal Dependencies are not here")
@pytest.mark.parametrize(
    ("name", "words", "whole"),
    [
        ("UD_French-Sequoia/fr_sequoia-ud-train.conllu", 99.5, 70.0),
        ("UD_English-Atis/en_atis-ud-test.conllu", 99.9, 0.0),
        ("UD_Turkish-Atis/tr_atis-ud-test.conllu", 99.9, 0.0),
    ],
)
def test_words_and_sentences_of_universal_dependencies(
    name: str, words: float, whole: float
) -> None:
    sentences = read_corpus(UD / name)
    cut = len(sentences) * 4 // 5
    reader = TextReader(recognize(sentences[:cut]), raw=True)
    cases = list(passages(sentences[cut:]))
    found = [found_by(reader, text) for text, _, _ in cases]
    assert f1((case[1] for case in cases), (case[0] for case in found)) > words
    assert f1((case[2] for case in cases), (case[1] for case in found)) >= whole


def test_what_is_fitted_keeps_how_its_text_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "It's late. We can't go home.\nThe dog barks, and it rains.\n" * 3, encoding="utf-8"
    )
    french = Conventions("corpus", beginnings=("l'",), endings=())
    for conventions in (ENGLISH, french):
        sentences = read_corpus(path, text=TextReader(conventions))
        words = {word: ("A", "B") for sentence in sentences for word in sentence}
        tagger = Tagger("trans1", order=1, max_iterations=1).fit(sentences, dictionary=words)
        tagger.save(tmp_path / "model")
        kept = Tagger.load(tmp_path / "model").tokenization_["conventions"]
        assert Conventions.from_dict(kept) == conventions
    assert tagger.fit([["a", "list"]], dictionary={"a": "A", "list": "B"}).tokenization_ == {}
    tagger.tokenization_ = {"conventions": PENN.to_dict()}  # whoever has read the text knows best
    tagger.fit(sentences, dictionary=words)
    assert tagger.tokenization_["conventions"]["name"] == "penn"
    corrector = Corrector(criterion="none").fit(sentences)
    assert Conventions.from_dict(corrector.tokenization_["conventions"]) == french
    inducer = DirectedAlignment().fit(sentences)
    assert Conventions.from_dict(inducer.tokenization_["conventions"]) == french
    assert LatentGrammar(cycles=0).fit(sample()[:20]).tokenization_["conventions"]["name"] == "penn"


LINES = st.one_of(st.text(max_size=40), st.text("aB.,;'`\"-( )\t n\n’", max_size=40))
WORDS = st.lists(
    st.sampled_from(["a", "Bc", ",", ".", "``", "''", "--", "n't", "-LRB-", "d-e"]), max_size=8
)


def texts(line: str, **options: object) -> list[str]:
    return [token.text for token in tokenize(line, **options)]  # type: ignore[arg-type]


def rewritten(line: str, tokens: list[Token], words: list[str]) -> str:
    """The line with its tokens changed to these words, wherever they differ."""
    observed = tuple(token.text for token in tokens)
    return restore(line, tokens, [Change(0, len(observed), observed, tuple(words), 1.0)])


@given(LINES, st.sampled_from([None, True, False]))
def test_a_line_that_is_not_changed_is_the_same_line(line: str, split: bool | None) -> None:
    tokens = tokenize(line, split=split)
    assert rewritten(line, tokens, [token.text for token in tokens]) == line


@given(LINES, st.sampled_from([None, True, False]))
def test_tokens_cover_all_but_white_space_in_order(line: str, split: bool | None) -> None:
    tokens = tokenize(line, split=split)
    assert all(line[start:end] == text and text for text, start, end in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    covered = "".join(text for text, _, _ in tokens)
    assert covered == "".join(line.split())


@given(WORDS, WORDS)
def test_a_tokenized_line_becomes_exactly_the_new_words(old: list[str], new: list[str]) -> None:
    line = " ".join([",", *old])
    new = [",", *new]
    assert rewritten(line, tokenize(line, split=False), new).split() == new


@given(WORDS, WORDS)
def test_no_change_adds_or_leaves_double_spaces(old: list[str], new: list[str]) -> None:
    line = " ".join([",", *old])
    changed = rewritten(line, tokenize(line, split=False), [",", *new])
    assert changed == " ".join([",", *new])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("It isn't so, is it?", "It|is|n't|so|,|is|it|?"),
        ("They're John's.", "They|'re|John|'s|."),
        ("Don’t!", "Do|n’t|!"),
        ("the U.S. Treasury's $3,000.50 (5%)", "the|U.S.|Treasury|'s|$|3,000.50|(|5|%|)"),
        ("He left. She stayed.", "He|left|.|She|stayed|."),
        ("on Nov. 29 at Smith & Co.", "on|Nov.|29|at|Smith|&|Co|."),
        ("J. P. Morgan and AT&T", "J.|P.|Morgan|and|AT&T"),
        ("well--known 10-year-old state-of-the-art", "well|--|known|10-year-old|state-of-the-art"),
        ("see http://a.b/c?d, or me@x.org.", "see|http://a.b/c?d|,|or|me@x.org|."),
        ("“Yes” … ‘no’", "“|Yes|”|…|‘|no|’"),
        ("and so on... then", "and|so|on|...|then"),
        ("he said `` yes '' , did n't he .", "he|said|``|yes|''|,|did|n't|he|."),
        ("-LRB- Nov. 29 -RRB- , it 's said", "-LRB-|Nov.|29|-RRB-|,|it|'s|said"),
        ("", ""),
        (" \t ", ""),
    ],
)
def test_the_conventions(line: str, expected: str) -> None:
    assert "|".join(texts(line)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("हिन्दी में लिखा है।", "हिन्दी|में|लिखा|है|।"),
        ("le cafe\u0301, noir", "le|cafe\u0301|,|noir"),
        ("שָׁלוֹם עולם!", "שָׁלוֹם|עולם|!"),
        ('צה"ל אמר "כן".', 'צה"ל|אמר|"|כן|"|.'),
        ("தமிழ் மொழி.", "தமிழ்|மொழி|."),
        ("ọjọ\u0301 kan", "ọjọ\u0301|kan"),
        ("مرحبا، كيف الحال؟", "مرحبا|،|كيف|الحال|؟"),
        ("yes 👩\u200d👩\u200d👧 and 🇫🇷🇩🇪!", "yes|👩\u200d👩\u200d👧|and|🇫🇷|🇩🇪|!"),
        ("#hashtag by @me :-) <3", "#hashtag|by|@me|:-)|<3"),
        ("L'hôtel d’été", "L'hôtel|d’été"),
    ],
)
def test_letters_marks_and_emoji_of_all_scripts(line: str, expected: str) -> None:
    assert "|".join(texts(line)) == expected


@pytest.mark.parametrize(
    "unit", ["\u0301", "a'", "a,", "a@", "#a", "n't", "a. ", "🇫", "1,", "www.", ":)"]
)
def test_a_hundred_thousand_characters_take_seconds(unit: str) -> None:
    line = "a" + unit * (100_000 // len(unit))
    started = time.process_time()
    assert tokenize(line, split=True)
    assert time.process_time() - started < 15


def test_a_known_word_keeps_its_full_stop_before_a_capital() -> None:
    assert texts("the Sask. River") == ["the", "Sask", ".", "River"]
    assert texts("the Sask. River", known={"Sask."}) == ["the", "Sask.", "River"]


@pytest.mark.parametrize(
    ("line", "words", "expected"),
    [
        ("Well then,  I wil go.", "Well , then I will go .", "Well, then  I will go."),
        ("teh\tcat\u00a0sat.\n", "the cat sat .", "the\tcat\u00a0sat.\n"),
        ("so it goes", "so it goes .", "so it goes."),
        ("so it goes\n", "so it goes .", "so it goes.\n"),
        ("so it goes", "( so ) it -- goes", "(so) it -- goes"),
        ("so it goes", "“ so ” it goes", "“so” it goes"),
        ("well, so (it) goes.", "well so it goes", "well so it goes"),
        (", so it goes", "so it goes", "so it goes"),
        (", , so", "so", "so"),
        ("one--two", "one two", "one two"),
        ("isn't", "is n't , so", "isn't, so"),
        ("yes no", "yes", "yes"),
        ("yes no", "oh yes no", "oh yes no"),
        ("yes; no", "yes , no", "yes, no"),
        ("", "so it goes", "so it goes"),
        ("a , b .", "a b , .", "a b , ."),
        ("a , b .", "a `` b .", "a `` b ."),
    ],
)
def test_changes_are_set_as_a_writer_would(line: str, words: str, expected: str) -> None:
    assert rewritten(line, tokenize(line), words.split()) == expected


@pytest.mark.parametrize(
    ("line", "tokenized"),
    [
        ("a , b", True),
        ("it 's", True),
        ("a, b", False),
        ("a b", False),
        ("a, b , c", False),
        ('a . "b', False),
    ],
)
def test_what_looks_tokenized(line: str, tokenized: bool) -> None:
    assert (looks_tokenized(line) is True) is tokenized


def test_a_very_long_line_takes_no_time() -> None:
    line = "x" * 10_000 + " " + "." * 10_000 + " " + "a." * 5_000 + " " + "a-" * 5_000
    tokens = tokenize(line)
    assert rewritten(line, tokens, [token.text for token in tokens]) == line


def test_two_words_that_were_one_leave_the_mark_behind_them_where_it_is() -> None:
    line = "We saw infact, and toaccept; maybe."
    words = ["We", "saw", "in", "fact", ",", "and", "to", "accept", ";", "maybe", "."]
    assert rewritten(line, tokenize(line), words) == "We saw in fact, and to accept; maybe."


def test_lines_without_a_telling_mark_say_nothing() -> None:
    lines = ("Well, then.", "no marks", "Vraiment ?")
    assert [looks_tokenized(line) for line in lines] == [False, None, None]
