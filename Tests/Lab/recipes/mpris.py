"""A player of a desktop that says what it plays: python3 mpris.py TITLE ARTIST ALBUM ART"""

import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

title, artist, album, art = sys.argv[1:5]
PLAYER, ROOT = "org.mpris.MediaPlayer2.Player", "org.mpris.MediaPlayer2"


class Player(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, "/org/mpris/MediaPlayer2")
        metadata = {
            "mpris:trackid": dbus.ObjectPath("/recipes/1"),
            "xesam:title": title,
            "xesam:artist": dbus.Array([artist], "s"),
            "xesam:album": album,
            "mpris:artUrl": art,
        }
        self.values = {
            PLAYER: {"PlaybackStatus": "Playing", "Metadata": dbus.Dictionary(metadata, "sv"), "CanControl": True, "CanPlay": True},
            ROOT: {"Identity": "Recipes", "CanQuit": False},
        }

    @dbus.service.method("org.freedesktop.DBus.Properties", "ss", "v")
    def Get(self, interface, name):
        return self.values[interface][name]

    @dbus.service.method("org.freedesktop.DBus.Properties", "s", "a{sv}")
    def GetAll(self, interface):
        return self.values[interface]


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
session = dbus.SessionBus()
name = dbus.service.BusName("org.mpris.MediaPlayer2.recipes", session)
player = Player(session)
GLib.MainLoop().run()
