import Foundation
import Glibc

/// Where the programs under test and the virtual card are.
package struct LabPrograms: Sendable {
    /// Folder of `tutti`, `tutti-player` and `tutti-speaker`.
    package var binaries: String
    /// The virtual card's shared object.
    package var cardPlugin: String

    package init(binaries: String, cardPlugin: String) {
        self.binaries = binaries
        self.cardPlugin = cardPlugin
    }

    /// The shared object of the card that records, beside it.
    package var linePlugin: String { cardPlugin.replacing(".so", with: "_in.so") }

    package var tutti: String { "\(binaries)/tutti" }
    package var speaker: String { "\(binaries)/tutti-speaker" }
    package var laboratory: String { "\(binaries)/tutti-lab" }

    /// The file of the card's plugin, built by `make` in its folder.
    package static let pluginName = "libasound_module_pcm_tutti_lab.so"

    /// What is not there: nil when all is.
    package var missing: LabError? {
        for path in [tutti, tutti + "-player", speaker] where access(path, X_OK) != 0 { return .missingTool(path) }
        return missingCard
    }

    /// As `missing`, for runs that need only the card.
    package var missingCard: LabError? {
        access(cardPlugin, R_OK) == 0 ? nil : .missingTool(cardPlugin)
    }
}
