"""The library and the playlists of a house, with real clients of MPD."""

import os
import time

from mpd_tools import ALBUM, Listener, mpc, refused, say, tutti
from programs import WORK, wait


def database(remote):
    """The library is browsed, searched, queued and shown."""
    listener = Listener()
    took = listener.hears("database", lambda: tutti("library", "add", f"{WORK}/album"))
    stats = remote.stats()
    assert (stats["songs"], stats["albums"], stats["artists"]) == ("4", "1", "1") and 360 <= int(stats["db_playtime"]) <= 482, stats
    files = [f"album/{track}.flac" for track in (1, 2, 3, 4)]
    assert mpc("list", "artist") == "Nobody\n" and mpc("list", "album", "artist", "Nobody") == "Nothing\n"
    assert mpc("find", "title", "Track 2") == "album/2.flac\n" and mpc("find", "title", "track 2") == ""
    assert mpc("search", "title", "track").split() == files
    assert mpc("search", '(Album == "nothing")').split() == files
    assert mpc("ls") == "album\n" and mpc("ls", "album").split() == files and mpc("listall").split() == files
    song = remote.lsinfo("album")[1]
    assert (song["title"], song["artist"], song["album"], song["duration"]) == ("Track 2", "Nobody", "Nothing", "120.000"), song
    assert [entry.get("file", entry.get("directory")) for entry in remote.listallinfo()] == ["album"] + files
    assert remote.count("artist", "Nobody")["songs"] == "4"
    assert len(remote.list("title", "group", "album")) >= 1
    refused(lambda: remote.lsinfo("none"), 50)
    assert remote.albumart("album/4.flac")["binary"] == remote.readpicture("album/4.flac")["binary"]
    assert not remote.readpicture("album/1.flac")
    # What is in the queue by its path is shown as a song of the library.
    assert mpc("playlist", "-f", "%file%").split()[:3] == files[:3]
    mpc("clear")
    mpc("findadd", "title", "Track 3")
    mpc("searchadd", "title", "track 2")
    mpc("add", "album/1.flac")
    assert mpc("playlist", "-f", "%file%").split() == [files[2], files[1], files[0]]
    assert ALBUM[2] in tutti("queue", "--group", "downstairs", "--json")
    mpc("play", "1")
    wait("the music", lambda: remote.status()["state"] == "play" and remote.currentsong()["file"] == files[2])
    # New files are found when a client asks for that, and by themselves.
    os.link(ALBUM[0], f"{WORK}/album/5.flac")
    mpc("--wait", "update")
    wait("the new file", lambda: remote.stats()["songs"] == "5")
    gone = listener.hears("database", lambda: os.unlink(f"{WORK}/album/5.flac"))
    assert remote.stats()["songs"] == "4"
    began = time.monotonic()
    for _ in range(100):
        remote.status()
    took_status = (time.monotonic() - began) * 10
    say(f"library: browsed, searched, queued; idle hears a new one after {took:.0f} ms, a lost file after {gone:.0f} ms; status takes {took_status:.1f} ms")


def playlists(remote):
    """Playlists are kept by the service, for clients and `tutti`."""
    listener = Listener()
    took = listener.hears("stored_playlist", lambda: mpc("save", "Dinner"))
    assert mpc("lsplaylists") == "Dinner\n" and tutti("playlist") == "Dinner: 3 tracks\n"
    refused(lambda: remote.save("Dinner"), 56)
    files = [song["file"] for song in remote.listplaylistinfo("Dinner")]
    assert files == [f"album/{track}.flac" for track in (3, 2, 1)], files
    assert remote.listplaylistinfo("Dinner")[0]["title"] == "Track 3"
    remote.playlistadd("Dinner", "album/4.flac")
    remote.playlistmove("Dinner", 3, 0)
    remote.playlistdelete("Dinner", 1)
    assert remote.listplaylist("Dinner") == ["album/4.flac", "album/2.flac", "album/1.flac"]
    remote.rename("Dinner", "Supper")
    refused(lambda: remote.rm("Dinner"), 50)
    tutti("playlist", "add", "morning", ALBUM[0])
    assert sorted(entry["playlist"] for entry in remote.listplaylists()) == ["Supper", "morning"]
    mpc("clear")
    mpc("load", "Supper")
    assert mpc("playlist", "-f", "%file%").split() == ["album/4.flac", "album/2.flac", "album/1.flac"]
    remote.load("Supper", "1:2")
    assert remote.status()["playlistlength"] == "4"
    remote.delete(3)
    remote.searchaddpl("found", "title", "track 2")
    assert remote.listplaylist("found") == "album/2.flac" or remote.listplaylist("found") == ["album/2.flac"]
    remote.playlistclear("found")
    for name in ("Supper", "morning", "found"):
        mpc("rm", name)
    assert mpc("lsplaylists") == ""
    mpc("clear")
    mpc("add", *[f"album/{track}.flac" for track in (1, 2, 3)])
    mpc("play")
    wait("the music", lambda: remote.status()["state"] == "play")
    say(f"playlists: saved, edited, loaded, removed; idle hears a new one after {took:.0f} ms")
