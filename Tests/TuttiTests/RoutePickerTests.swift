import Testing
import Tutti

@Suite struct RoutePickerTests {
    private static func device(_ id: String) -> RouteDetector.Route {
        RouteDetector.Route(id: id, name: id.uppercased(), room: nil)
    }

    private static func room(_ name: String) -> RouteDetector.Route {
        RouteDetector.Route(id: name, name: name, room: RoomEndpoint(name: name, host: "10.0.0.7", port: 7_700))
    }

    private var picker: RoutePicker {
        RoutePicker(routes: [Self.room("bath"), Self.device("default"), Self.device("plughw:1"), Self.room("kitchen")])
    }

    private func chosen(_ picker: RoutePicker) -> [String] { picker.items.filter(\.isSelected).map(\.id) }

    @Test func devicesComeBeforeRoomsAndTheDefaultIsChosen() {
        #expect(picker.items.map(\.id) == ["default", "plughw:1", "bath", "kitchen"])
        #expect(chosen(picker) == ["default"])
        #expect(picker.route().kind == .local)
    }

    @Test func roomsAddUpAndADeviceIsAlone() {
        var picker = picker
        picker.toggle("kitchen")
        picker.toggle("bath")
        #expect(chosen(picker) == ["bath", "kitchen"])
        #expect(picker.route().kind == .rooms && picker.route().name == "kitchen, bath")
        picker.toggle("bath")
        let isLastKept = !picker.toggle("kitchen")
        #expect(isLastKept && chosen(picker) == ["kitchen"])
        let isOther = picker.toggle("plughw:1")
        #expect(isOther && chosen(picker) == ["plughw:1"])
        let isNone = !picker.toggle("nothing")
        #expect(isNone)
    }

    @Test func whatIsChosenAndGoneIsShown() {
        var picker = picker
        picker.toggle("kitchen")
        picker.routes.removeAll { $0.id == "kitchen" }
        let last = picker.items.last
        #expect(last?.id == "kitchen" && last?.isSelected == true && last?.isAvailable == false)
        #expect(picker.route().kind == .rooms)
    }

    @Test func bluetoothIsABluetoothRoute() {
        var picker = RoutePicker(routes: [Self.device("bluealsa:DEV=00:11:22:33:44:55")])
        picker.toggle("bluealsa:DEV=00:11:22:33:44:55")
        #expect(picker.route().kind == .bluetooth)
    }
}
