"""Ask a LibreOffice that listens on a pipe for the spelling of words: PIPE LANGUAGE COUNTRY NUMBER WORD ...

The Python of the system runs this, for that one has the module uno. It prints one object: whether there is
libreoffice-voikko, the spell checkers that LibreOffice has chosen for the language, and for each word its
suggestions, null where it is right. They come from the object that Writer asks, by the language's MS-LCID.
"""

import json
import sys
import time

import uno
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import Locale


def main(pipe: str, language: str, country: str, number: str, *words: str) -> None:
    here = uno.getComponentContext()
    resolver = here.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    context = None
    while context is None:
        try:
            context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except NoConnectException:
            time.sleep(0.2)

    def service(name: str) -> object:
        return context.ServiceManager.createInstanceWithContext(name, context)

    try:
        manager = service("com.sun.star.linguistic2.LinguServiceManager")
        chosen = manager.getConfiguredServices(
            "com.sun.star.linguistic2.SpellChecker", Locale(language, country, "")
        )
        checker, answers = manager.getSpellChecker(), {}
        for word in words if chosen else ():
            right = checker.isValid(word, int(number), ())
            answers[word] = (
                None if right else checker.spell(word, int(number), ()).getAlternatives()
            )
        voikko = service("voikko.SpellChecker") is not None
        print(json.dumps({"voikko": voikko, "checkers": chosen, "words": answers}))
    finally:
        service("com.sun.star.frame.Desktop").terminate()


if __name__ == "__main__":
    main(*sys.argv[1:])
