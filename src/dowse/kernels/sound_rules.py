"""The rules of Double Metaphone, as a table that both twins of `sounds` read.

From the description by Lawrence Philips ("The Double Metaphone Search Algorithm", C/C++ Users Journal, June
2000). A word is read from its first letter to its last. At each place the first rule that fits gives its
symbols and says how many letters it has used up, so a rule holds for what the ones above it left over.

Patterns are those of `sound_patterns`: ``A(CH)T`` uses up CH between A and T; ``[AO]``, ``[^AO]`` one of
these, none of these; ``v`` a vowel, Y included; ``.`` no letter, before the first or after the last; ``?``
anything; ``^SCH`` and ``AS$`` the beginning and the end of the word; ``slavic`` a word with W, K or CZ.
Codes: ``K`` in both, ``K/X`` K in the first and X in the second, ``/R`` nothing in the first.

Cases of the description that change nothing have no rows: prefixes of names that are words of their own
("van", "von", "san", "mac"), since a word has no spaces here, and what the rows below would give anyway.
"""

from typing import NamedTuple

SYMBOLS = "0AFHJKLMNPRSTX"  # 0 is the sound of "th", X that of "sh"
MAX_SYMBOLS = 8
SLAVIC = ("W", "K", "CZ")


class Rule(NamedTuple):
    """One row of the table.

    Attributes:
        patterns: One of these fits here; all use up equally many letters.
        codes: What the letters sound like.
        where: One of these fits too, unless there are none.
        but: None of these fits.
    """

    patterns: str
    codes: str
    where: str = ""
    but: str = ""


RULES = (
    Rule(".(v)", "A"),
    Rule("(v)", ""),

    Rule("(BB)", "P"),
    Rule("(B)", "P"),

    Rule("[^v.]A(CH)[^IE] BA(CH)ER MA(CH)ER", "K"),  # Bach
    Rule(".(CA)ESAR", "S"),
    Rule("(CH)IA", "K"),  # chianti
    Rule("[^.](CH)AE", "K/X"),  # Michael
    Rule(".(CH)ARAC .(CH)ARIS .(CH)OR .(CH)YM .(CH)EM", "K", but="^CHORE"),  # chorus, chemistry
    Rule("(CH)", "K", where="^SCH"),
    Rule("OR(CH)ES AR(CH)IT OR(CH)ID (CH)[TS] [AOUE.](CH)[LRNMBHFVW.]", "K"),  # orchestra, Wachtler
    Rule("[^.](CH)", "K", where="^MC"),  # McHugh
    Rule("[^.](CH)", "X/K"),
    Rule("(CH)", "X"),
    Rule("(CZ)", "S/X", but="WI(CZ)"),  # Czerny
    Rule("(CCI)A", "X"),  # focaccia
    Rule(".A(CC[IEH]) U(CCE)[ES]", "KS", but="(CC)HU"),  # accident, succeed
    Rule("(CC[IEH])", "X", but="(CC)HU .M(CC)"),  # Bellocchio, but neither Bacchus nor McClellan
    Rule("(C[KGQ])", "K"),
    Rule("(CI)[OEA]", "S/X"),
    Rule("(C[IEY])", "S"),
    Rule("(CC)[^EI]", "K"),
    Rule("(C)", "K"),

    Rule("(DG[IEY])", "J"),  # edge
    Rule("(DG)", "TK"),  # Edgar
    Rule("(D[TD])", "T"),
    Rule("(D)", "T"),

    Rule("(FF)", "F"),
    Rule("(F)", "F"),

    Rule(".(G)N", ""),
    Rule("[^v.](GH)", "K"),
    Rule(".(GH)I", "J"),  # Ghislane
    Rule("[BHD]?(GH) [BHD]??(GH) [BH]???(GH)", ""),  # Hugh, bough, broughton
    Rule("[CGLRT]?U(GH)", "F"),  # laugh, cough, rough, tough
    Rule("[^I](GH)", "K"),
    Rule("(GH)", ""),
    Rule(".v(GN)", "KN/N", but="slavic"),
    Rule("(GN)", "N/KN", but="slavic (GN)EY"),  # not Cagney
    Rule("(GN)", "KN"),
    Rule("(GL)I", "KL/L", but="slavic"),  # Tagliaro
    Rule(".(GE)[SPBLYIR] .(GI)[BLNE]", "K/J"),
    Rule("(GE)R (GY)", "K/J", but="^DANGER ^RANGER ^MANGER [EI](G) [RO](GY)"),
    Rule("(G[EIY]) [AO](GG)I", "K", where="^SCH"),
    Rule("(GE)T", "K"),
    Rule("(GI)ER.", "J"),
    Rule("(G[EIY]) [AO](GG)I", "J/K"),  # Biaggi
    Rule("(GG)", "K"),
    Rule("(G)", "K"),

    Rule("[v.](Hv)", "H"),
    Rule("(H)", ""),

    Rule(".(J)OSE.", "H"),
    Rule("(J)OSE", "J/H"),
    Rule(".(JJ)", "J/A"),  # Yankelovich, Jankelowicz
    Rule(".(J)", "J/A"),
    Rule("v(J)[AO]", "J/H", but="slavic"),  # bajador
    Rule("(J).", "J/"),
    Rule("[^SKL](JJ)", "J"),
    Rule("[^SKL](J)[^LTKSNMBZ]", "J"),
    Rule("(JJ)", ""),
    Rule("(J)", ""),

    Rule(".(K)N", ""),
    Rule("(KK)", "K"),
    Rule("(K)", "K"),

    Rule("I(LL)[OA]. A(LL)E.", "L/"),  # cabrillo, gallegos
    Rule("A(LL)E", "L/", where="AS$ OS$ A$ O$"),
    Rule("(LL)", "L"),
    Rule("(L)", "L"),

    Rule("U(MB). U(MB)ER (MM)", "M"),  # dumb, thumb
    Rule("(M)", "M"),

    Rule("(NN)", "N"),
    Rule("(N)", "N"),

    Rule(".(P)[NS]", ""),
    Rule("(PH)", "F"),
    Rule("(P[PB])", "P"),  # Campbell
    Rule("(P)", "P"),

    Rule("(QQ)", "K"),
    Rule("(Q)", "K"),

    Rule("IE(R).", "/R", but="slavic M[EA]IE(R)"),  # Rogier, but Hochmeier
    Rule("(RR)", "R"),
    Rule("(R)", "R"),

    Rule("[IY](S)L", ""),  # island, Carlysle
    Rule(".(S)UGAR", "X/S"),
    Rule("(SH)EIM (SH)OEK (SH)OL[MZ]", "S"),  # Arnsheim, Buchsholz
    Rule("(SH)", "X"),
    Rule("(SI[OA])", "S/X", but="slavic"),
    Rule("(SZ)", "S/X"),
    Rule(".(S)[MNLW]", "S/X"),  # Smith as Schmidt, Snider as Schneider
    Rule("(SCH)E[RN]", "X/SK"),  # Schermerhorn, Schenker
    Rule("(SCH)OO (SCH)UY (SCH)E[DM]", "SK"),  # school
    Rule(".(SCH)[^vW]", "X/S"),
    Rule("(SCH)", "X"),
    Rule("(SC[IEY])", "S"),
    Rule("(SC?)", "SK"),
    Rule("[AO]I(S).", "/S"),  # Resnais, Artois
    Rule("(S[SZ])", "S"),
    Rule("(S)", "S"),

    Rule("(TIO)N (TIA) (TCH)", "X"),
    Rule("(TH)[OA]M", "T"),  # Thomas, Thames
    Rule("(TH) (TT)H", "T", where="^SCH"),
    Rule("(TH) (TT)H", "0/T"),
    Rule("(T[TD])", "T"),
    Rule("(T)", "T"),

    Rule("(VV)", "F"),
    Rule("(V)", "F"),

    Rule(".(W)R", ""),
    Rule("(WR)", "R"),
    Rule(".(WICZ) .(WITZ)", "ATS/FFX"),
    Rule(".(W)v", "A/F"),  # Wasserman as Vasserman
    Rule(".(W)H", "A"),
    Rule("v(W). [EO](W)SK[IY]", "/F"),  # Arnow as Arnoff, Filipowski
    Rule("(W)", "/F", where="^SCH"),
    Rule("(WICZ) (WITZ)", "TS/FX"),  # Filipowicz
    Rule("(W)", ""),

    Rule(".(X)", "S"),
    Rule("[AO]U(X).", ""),  # breaux
    Rule("(X[CX])", "KS"),
    Rule("(X)", "KS"),

    Rule("(ZH)", "J"),  # Zhao
    Rule("(ZZ)[OIA]", "S/TS"),
    Rule("[^T.](ZZ)", "S/TS", where="slavic"),
    Rule("[^T.](Z)", "S/TS", where="slavic"),
    Rule("(ZZ)", "S"),
    Rule("(Z)", "S"),
)  # fmt: skip
