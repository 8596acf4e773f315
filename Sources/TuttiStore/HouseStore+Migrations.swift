import GRDB

extension HouseStore {
    /// How the store came to be as it is. What has once been in a version is never changed, only added to.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE identity (
                        only INTEGER PRIMARY KEY CHECK (only = 1),
                        id TEXT NOT NULL
                    );
                    CREATE TABLE room (
                        name TEXT PRIMARY KEY COLLATE NOCASE,
                        speaker TEXT,
                        address TEXT NOT NULL,
                        volume REAL,
                        muted INTEGER
                    ) WITHOUT ROWID;
                    -- Rooms are written as `--room` takes them, in a list of JSON.
                    CREATE TABLE roomGroup (
                        name TEXT PRIMARY KEY,
                        rooms TEXT NOT NULL
                    ) WITHOUT ROWID;
                    -- What plays in a group: its queue's order as numbers of entries, and all else that is small.
                    CREATE TABLE player (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        name TEXT NOT NULL,
                        state BLOB,
                        sequence BLOB
                    );
                    CREATE TABLE entry (
                        player INTEGER NOT NULL,
                        id INTEGER NOT NULL,
                        item BLOB NOT NULL,
                        PRIMARY KEY (player, id)
                    ) WITHOUT ROWID;
                    CREATE TABLE schedule (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        content BLOB NOT NULL
                    );
                    -- How loud rooms are to be once a fade is over.
                    CREATE TABLE fade (
                        room TEXT PRIMARY KEY COLLATE NOCASE,
                        volume REAL NOT NULL
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("alarm levels") { db in
            try db.execute(
                sql: """
                    -- How loud rooms were before an alarm changed that.
                    CREATE TABLE alarmLevel (
                        room TEXT PRIMARY KEY COLLATE NOCASE,
                        volume REAL NOT NULL,
                        muted INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("damaged rows") { db in
            try db.execute(
                sql: """
                    -- What cannot be understood, as literals of SQL, and the table that it was in.
                    CREATE TABLE damagedRow (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        origin TEXT NOT NULL,
                        content TEXT
                    );
                    """)
        }
        migrator.registerMigration("loudness") { db in
            try db.execute(
                sql: """
                    -- How loud files are that were measured; `begin` and `finish` are nanoseconds in a file with
                    -- several tracks, and 0 for a whole one. Loudness is in LUFS, ranges in LU, peaks in dBTP.
                    CREATE TABLE loudness (
                        path TEXT NOT NULL,
                        begin INTEGER NOT NULL,
                        finish INTEGER NOT NULL,
                        size INTEGER NOT NULL,
                        modified INTEGER NOT NULL,
                        integrated REAL,
                        range REAL,
                        peak REAL,
                        album TEXT,
                        albumIntegrated REAL,
                        albumRange REAL,
                        albumPeak REAL,
                        albumTracks INTEGER NOT NULL,
                        PRIMARY KEY (path, begin, finish)
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("stations") { db in
            try db.execute(
                sql: """
                    CREATE TABLE station (
                        name TEXT PRIMARY KEY,
                        uri TEXT NOT NULL
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("playlists") { db in
            try db.execute(
                sql: """
                    -- Tracks are a list in JSON, as the control socket has them; `changed` is in seconds since 1970.
                    CREATE TABLE playlist (
                        name TEXT PRIMARY KEY,
                        tracks INTEGER NOT NULL,
                        changed INTEGER NOT NULL,
                        content BLOB NOT NULL
                    );
                    """)
        }
        return migrator
    }()
}
