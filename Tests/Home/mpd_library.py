"""The library and the playlists of a house, with real clients of MPD."""

import os
import subprocess
import time

from mpd_tools import ALBUM, Listener, client, mpc, raw, refused, say, tutti
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


def sheets(remote):
    """A file with a cue sheet beside it is its tracks, and follows what becomes of the sheet."""
    folder = f"{WORK}/discs"
    os.mkdir(folder)
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=330:duration=60", "-metadata", "title=All of it",
                    f"{folder}/disc.flac"], check=True)
    lines = ['PERFORMER "Somebody"', 'TITLE "Disc"', 'FILE "disc.wav" WAVE']
    for track, start in ((1, "00:00:00"), (2, "00:20:37"), (3, "00:40:00")):
        lines += [f"TRACK {track:02} AUDIO", f'TITLE "Part {track}"', f"INDEX 01 {start}"]
    text = "\r\n".join(lines)

    def write(text):
        with open(f"{folder}/disc.cue", "w") as file:
            file.write(text)

    write(text)
    listener = Listener()
    listener.hears("database", lambda: tutti("library", "add", folder))
    files = [f"discs/disc.flac/track000{track}" for track in (1, 2, 3)]
    wait("the tracks", lambda: mpc("find", "album", "Disc").split() == files)
    assert mpc("find", "title", "All of it") == "" and mpc("list", "artist").split() == ["Nobody", "Somebody"]
    mpc("clear")
    mpc("findadd", "album", "Disc")
    assert mpc("playlist", "-f", "%file% %title%").splitlines() == [f"{file} Part {track + 1}" for track, file in enumerate(files)]
    mpc("play", "2")
    wait("the second track", lambda: remote.status()["state"] == "play" and remote.currentsong()["file"] == files[1])
    wait("its length", lambda: abs(float(remote.currentsong()["duration"]) - (19 + 38 / 75)) < 0.01)
    mpc("seek", "18")
    wait("the next one, by itself", lambda: remote.currentsong()["file"] == files[2])
    # Something else is called so now, and then the sheet is gone.
    changed = listener.hears("database", lambda: write(text.replace("Part 2", "Middle")))
    assert mpc("find", "title", "Middle").split() == [files[1]], mpc("find", "album", "Disc")
    listener.hears("database", lambda: os.unlink(f"{folder}/disc.cue"))
    assert mpc("find", "title", "All of it").split() == ["discs/disc.flac"] and mpc("find", "album", "Disc") == ""
    listener.hears("database", lambda: tutti("library", "remove", folder))
    mpc("clear")
    say(f"cue sheets: tracks are found, queued and follow each other; a change of the sheet is heard after {changed:.0f} ms")


def stickers(remote):
    """Clients note things of songs."""
    listener = Listener()
    listener.hears("sticker", lambda: remote.sticker_set("song", "album/1.flac", "rating", "4"))
    remote.sticker_set("song", "album/2.flac", "rating", "7")
    remote.sticker_set("song", "album/2.flac", "mood", "calm = good")
    assert remote.sticker_get("song", "album/1.flac", "rating") == "4"
    assert remote.sticker_list("song", "album/2.flac") == {"mood": "calm = good", "rating": "7"}
    found = [(entry["file"], entry["sticker"]) for entry in remote.sticker_find("song", "", "rating")]
    assert found == [("album/1.flac", "rating=4"), ("album/2.flac", "rating=7")], found
    assert raw("sticker find song album rating > 5") == ["file: album/2.flac", "sticker: rating=7"]
    assert mpc("sticker", "album/1.flac", "get", "rating").strip() == "rating=4"
    remote.sticker_delete("song", "album/2.flac")
    assert remote.sticker_list("song", "album/2.flac") == {}
    refused(lambda: remote.sticker_get("song", "album/2.flac", "rating"), 50)
    refused(lambda: remote.sticker_set("song", "none", "rating", "1"), 50)
    # They stay with a file that is moved.
    os.rename(f"{WORK}/album/1.flac", f"{WORK}/album/moved.flac")
    wait("the moved file", lambda: "album/moved.flac" in mpc("listall").split())
    assert remote.sticker_get("song", "album/moved.flac", "rating") == "4"
    os.rename(f"{WORK}/album/moved.flac", f"{WORK}/album/1.flac")
    wait("the file", lambda: "album/moved.flac" not in mpc("listall").split())
    say("stickers: set, read, found, deleted, and kept by a file that is moved")


def priorities(remote):
    """In a shuffled queue, the higher priority plays first."""
    mpc("clear")
    mpc("add", *[f"album/{track}.flac" for track in (1, 2, 3, 4)])
    mpc("play", "1")
    wait("the music", lambda: remote.status()["state"] == "play")
    remote.prio(5, "2:4")
    assert [song.get("prio") for song in remote.playlistinfo()] == [None, None, "5", "5"]
    remote.random(1)
    wait("their order", lambda: {song["file"] for song in remote.playlistinfo()[1:3]} == {"album/3.flac", "album/4.flac"})
    last = remote.playlistinfo()[3]
    mpc("prio", "9", "4")
    assert remote.playlistinfo()[1]["id"] == last["id"] and remote.playlistinfo()[1]["prio"] == "9"
    assert remote.status()["song"] == "0" and remote.status()["nextsongid"] == last["id"]
    remote.random(0)
    assert [song["file"] for song in remote.playlistinfo()] == [f"album/{track}.flac" for track in (1, 2, 3, 4)]
    remote.prio(0, "0:4")
    say("priorities: kept, shown, and the order of a shuffled queue")


def single(remote):
    """It stops after a track, and plays on with the next one."""
    mpc("single", "on")
    mpc("play", "2")
    wait("the music", lambda: remote.status()["state"] == "play" and remote.status()["song"] == "1")
    assert "nextsong" not in remote.status()
    mpc("seek", "118")
    wait("its end", lambda: remote.status()["state"] == "stop")
    assert remote.status()["playlistlength"] == "4"
    mpc("play")
    wait("the next one", lambda: remote.status()["state"] == "play" and remote.status()["song"] == "2")
    mpc("single", "off")
    # Another client does not mind what this one has set.
    assert client().status()["single"] == "0"
    say("single: stops after a track, and goes on with the next")
