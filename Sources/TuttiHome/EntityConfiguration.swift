/// What Home Assistant is told of an entity: the message on its configuration topic. The fields and their meanings are
/// those of its documentation of MQTT discovery; what is nil is left out.
struct EntityConfiguration: Encodable, Equatable {
    /// What belongs together in Home Assistant.
    struct Device: Encodable, Equatable {
        var identifiers: [String]
        var name: String
        var manufacturer = "Tutti"
        var model: String
        var suggestedArea: String?
        var viaDevice: String?
        var softwareVersion: String?

        private enum CodingKeys: String, CodingKey {
            case identifiers, name, manufacturer, model
            case suggestedArea = "suggested_area"
            case viaDevice = "via_device"
            case softwareVersion = "sw_version"
        }
    }

    /// A topic that says whether an entity can be used.
    struct Availability: Encodable, Equatable {
        var topic: String
    }

    /// Which program has made it.
    struct Origin: Encodable, Equatable {
        var name = "Tutti"
        var softwareVersion: String

        private enum CodingKeys: String, CodingKey {
            case name
            case softwareVersion = "sw_version"
        }
    }

    var name: String
    var uniqueID: String
    var device: Device
    var origin: Origin
    /// All of them must say that it can be used; nil for what always can.
    var availability: [Availability]?
    var availabilityMode: String?
    var stateTopic: String?
    var commandTopic: String?
    var valueTemplate: String?
    var attributesTopic: String?
    var deviceClass: String?
    var entityCategory: String?
    var icon: String?
    var options: [String]?
    var payloadOn: String?
    var payloadOff: String?
    var unit: String?
    var stateClass: String?
    var minimum: Double?
    var maximum: Double?
    var step: Double?
    var mode: String?

    private enum CodingKeys: String, CodingKey {
        case name, device, origin, availability, icon, options, step, mode
        case uniqueID = "unique_id"
        case availabilityMode = "availability_mode"
        case stateTopic = "state_topic"
        case commandTopic = "command_topic"
        case valueTemplate = "value_template"
        case attributesTopic = "json_attributes_topic"
        case deviceClass = "device_class"
        case entityCategory = "entity_category"
        case payloadOn = "payload_on"
        case payloadOff = "payload_off"
        case unit = "unit_of_measurement"
        case stateClass = "state_class"
        case minimum = "min"
        case maximum = "max"
    }
}
