import Testing
import TuttiPipeWire

@Suite("Names of programs that play") struct ProgramNamesTests {
    @Test("whose sound goes to a sink is known by its links")
    func links() {
        var names = ProgramNames()
        #expect(names.programs(playingTo: 40) == nil)
        names.add(.program(name: "Firefox"), number: 30)
        names.add(.program(name: "mpv\n"), number: 31)
        names.add(.node(program: 30), number: 50)
        names.add(.node(program: 31), number: 51)
        names.add(.node(program: 99), number: 52)
        for (link, node) in [(60, 51), (61, 51), (62, 52)] {
            names.add(.link(from: UInt32(node), to: 40), number: UInt32(link))
        }
        names.add(.link(from: 50, to: 41), number: 63)
        #expect(names.programs(playingTo: 40) == "mpv")
        names.add(.link(from: 50, to: 40), number: 64)
        #expect(names.programs(playingTo: 40) == "Firefox, mpv")
        for link in 60...61 { names.remove(UInt32(link)) }
        #expect(names.programs(playingTo: 40) == "Firefox")
    }

    @Test("a graph without end takes no memory without end")
    func bounds() {
        var names = ProgramNames()
        for number in 0..<UInt32(ProgramNames.most) { names.add(.program(name: "x"), number: number) }
        names.add(.program(name: "late"), number: 900_000)
        names.add(.program(name: String(repeating: "y", count: 1000)), number: 0)
        names.remove(1)
        names.remove(2)
        names.add(.node(program: 0), number: 1)
        names.add(.link(from: 1, to: 7), number: 2)
        #expect(names.programs(playingTo: 7)?.count == ProgramNames.longest)
    }
}
