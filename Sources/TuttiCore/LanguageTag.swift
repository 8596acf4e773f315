/// A language as media name it: an ISO 639 code of two or three letters, maybe with a script or a region (`pt-BR`, as
/// BCP 47 writes it).
package struct LanguageTag: Sendable, Hashable {
    /// The code of three letters where there is one, such as `deu` for `de`, `ger` and `deu`; in lower case.
    package let language: String
    /// What follows it, in lower case: `br` of `pt-BR`.
    package let rest: [String]

    /// Longer texts are no languages.
    private static let maximumCharacters = 35

    /// Reads a tag; nil for what is none, and for `und`, which media write where they do not know.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumCharacters else { return nil }
        let parts = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map(
            String.init)
        guard let code = parts.first, (2...3).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x61...0x7A).contains($0) }), code != "und",
            parts.dropFirst().allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isAlphanumeric) })
        else { return nil }
        language = Self.terms[code] ?? code
        rest = Array(parts.dropFirst())
    }

    /// How well a track in `other` suits somebody who asks for this; nil for another language. A track of the very
    /// region is better than one of none, and that is better than one of another region.
    package func likeness(to other: LanguageTag) -> Int? {
        guard language == other.language else { return nil }
        if rest == other.rest { return 2 }
        return rest.isEmpty || other.rest.isEmpty ? 1 : 0
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// From other codes of a language to the terminological one of three letters.
    private static let terms: [String: String] = {
        var terms: [String: String] = [:]
        for row in codes.split(whereSeparator: \.isWhitespace) {
            let term = String(row.dropFirst(2).prefix(3))
            terms[String(row.prefix(2))] = term
            if row.count > 5 { terms[String(row.dropFirst(5))] = term }
        }
        return terms
    }()

    /// ISO 639-1 and 639-2: the code of two letters, the terminological one of three, and the bibliographic one where it
    /// is another.
    private static let codes = """
        aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bhbih bibis bmbam
        bnben bobodtib brbre bsbos cacat ceche chcha cocos crcre cscescze cuchu cvchv cycymwel dadan dedeuger dvdiv
        dzdzo eeewe elellgre eneng eoepo esspa etest eueusbaq fafasper ffful fifin fjfij fofao frfrafre fyfry gagle
        gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhyearm hzher iaina idind ieile
        igibo iiiii ikipk ioido isislice itita iuiku jajpn jvjav kakatgeo kgkon kikik kjkua kkkaz klkal kmkhm knkan
        kokor krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ltlit lulub lvlav mgmlg mhmah
        mimrimao mkmkdmac mlmal mnmon mrmar msmsamay mtmlt mymyabur nanau nbnob ndnde nenep ngndo nlnlddut nnnno
        nonor nrnbl nvnav nynya ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun
        roronrum rurus rwkin sasan scsrd sdsnd sesme sgsag sisin skslkslo slslv smsmo snsna sosom sqsqialb srsrp
        ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur tstso tttat twtwi
        tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha zhzhochi zuzul
        """
}
