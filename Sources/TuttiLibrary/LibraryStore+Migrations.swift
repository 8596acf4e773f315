import GRDB

extension LibraryStore {
    /// How the store came to be as it is. What has once been in a version is never changed, only added to.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: files)
            try db.execute(sql: music)
            try db.execute(sql: searching)
        }
        migrator.registerMigration("2") { db in
            try db.execute(sql: parts)
            try db.execute(sql: measures)
            try db.execute(sql: stickers)
            try db.execute(sql: renaming)
        }
        return migrator
    }()

    private static let files = """
        -- `device` and `inode` tell a folder that was renamed.
        CREATE TABLE root (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            path TEXT NOT NULL UNIQUE,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            added INTEGER NOT NULL,
            scanned INTEGER,
            isReachable INTEGER NOT NULL
        );
        -- Paths are relative to the root, whose own folder is ''. `seen` is the number of the last scan that found the
        -- folder, `listed` that of the last one that could read it.
        CREATE TABLE folder (
            id INTEGER PRIMARY KEY,
            root INTEGER NOT NULL,
            parent INTEGER,
            path TEXT NOT NULL,
            hasArtwork INTEGER NOT NULL DEFAULT 0,
            isMount INTEGER NOT NULL DEFAULT 0,
            seen INTEGER NOT NULL DEFAULT 0,
            listed INTEGER NOT NULL DEFAULT 0,
            UNIQUE (root, path)
        );
        CREATE INDEX folderByParent ON folder (parent);
        -- `modified` is in nanoseconds since 1970. `missing` is the number of the scan that did not find the file.
        CREATE TABLE file (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            folder INTEGER NOT NULL,
            name TEXT NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            flaw TEXT,
            missing INTEGER NOT NULL DEFAULT 0,
            UNIQUE (folder, name)
        );
        CREATE INDEX fileByInode ON file (inode);
        CREATE INDEX missingFile ON file (missing) WHERE missing > 0;
        CREATE TABLE scan (id INTEGER PRIMARY KEY AUTOINCREMENT, begun INTEGER NOT NULL);
        """

    private static let music = """
        -- Instants are in seconds since 1970, times in milliseconds, loudness in LUFS, peaks in dBTP.
        CREATE TABLE track (
            id INTEGER PRIMARY KEY,
            root INTEGER NOT NULL,
            albumID INTEGER,
            title TEXT NOT NULL,
            artist TEXT,
            albumArtist TEXT,
            album TEXT,
            disc INTEGER,
            number INTEGER,
            year INTEGER,
            genre TEXT,
            composer TEXT,
            work TEXT,
            duration INTEGER,
            hasArtwork INTEGER NOT NULL,
            loudness REAL,
            peak REAL,
            albumLoudness REAL,
            albumPeak REAL,
            sort TEXT NOT NULL,
            added INTEGER NOT NULL,
            lastPlayed INTEGER,
            playCount INTEGER NOT NULL DEFAULT 0,
            isFavourite INTEGER NOT NULL DEFAULT 0,
            resume INTEGER
        );
        CREATE INDEX trackByRoot ON track (root);
        CREATE INDEX trackByAlbum ON track (albumID, disc, number);
        CREATE INDEX trackBySort ON track (sort);
        CREATE INDEX trackByYear ON track (year) WHERE year IS NOT NULL;
        CREATE INDEX trackByAdded ON track (added);
        CREATE INDEX trackByPlayed ON track (lastPlayed) WHERE lastPlayed IS NOT NULL;
        CREATE INDEX favouriteTrack ON track (sort) WHERE isFavourite;
        CREATE TABLE album (
            id INTEGER PRIMARY KEY,
            root INTEGER NOT NULL,
            key TEXT NOT NULL,
            title TEXT NOT NULL,
            artist TEXT,
            isCompilation INTEGER NOT NULL DEFAULT 0,
            year INTEGER,
            trackCount INTEGER NOT NULL DEFAULT 0,
            discCount INTEGER NOT NULL DEFAULT 1,
            duration INTEGER NOT NULL DEFAULT 0,
            hasArtwork INTEGER NOT NULL DEFAULT 0,
            added INTEGER NOT NULL DEFAULT 0,
            lastPlayed INTEGER,
            sort TEXT NOT NULL,
            artistSort TEXT NOT NULL DEFAULT '',
            UNIQUE (root, key)
        );
        CREATE INDEX albumBySort ON album (sort);
        CREATE INDEX albumByArtist ON album (artistSort, year, sort);
        CREATE INDEX albumByYear ON album (year, sort);
        CREATE INDEX albumByAdded ON album (added);
        CREATE INDEX albumByPlayed ON album (lastPlayed) WHERE lastPlayed IS NOT NULL;
        -- Artists, genres, composers, each once; `kind` is `LibraryName.Kind`.
        CREATE TABLE name (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            sort TEXT NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (kind, sort)
        );
        CREATE TABLE credit (
            name INTEGER NOT NULL,
            track INTEGER NOT NULL,
            PRIMARY KEY (name, track)
        ) WITHOUT ROWID;
        CREATE INDEX creditByTrack ON credit (track);
        """

    /// Ids of parts are those of their tracks, beyond all ids that files will ever have. Both are below 2^53.
    private static let parts = """
        -- Tracks inside of files, by cue sheets; `place` counts them in a file, `begin` and `finish` are in 75ths of a
        -- second.
        CREATE TABLE part (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file INTEGER NOT NULL,
            place INTEGER NOT NULL,
            begin INTEGER NOT NULL,
            finish INTEGER,
            UNIQUE (file, place)
        );
        INSERT INTO sqlite_sequence (name, seq) VALUES ('part', \(1 << 40));
        CREATE TRIGGER fileDeleted AFTER DELETE ON file BEGIN DELETE FROM part WHERE file = old.id; END;
        """

    /// What was measured of the file as it is now, beside what its tags say.
    private static let measures = """
        ALTER TABLE track ADD COLUMN measured REAL;
        ALTER TABLE track ADD COLUMN measuredPeak REAL;
        ALTER TABLE track ADD COLUMN albumMeasured REAL;
        ALTER TABLE track ADD COLUMN albumMeasuredPeak REAL;
        ALTER TABLE track ADD COLUMN isMeasured INTEGER NOT NULL DEFAULT 0;
        """

    /// Counts files that were moved or renamed, which leaves everything else as it is.
    private static let renaming = """
        CREATE TABLE renaming (id INTEGER PRIMARY KEY, number INTEGER NOT NULL);
        INSERT INTO renaming VALUES (1, 0);
        CREATE TRIGGER fileRenamed AFTER UPDATE OF folder, name ON file
        WHEN old.folder <> new.folder OR old.name <> new.name
        BEGIN UPDATE renaming SET number = number + 1; END;
        """

    private static let stickers = """
        CREATE TABLE sticker (
            track INTEGER NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (track, name)
        ) WITHOUT ROWID;
        CREATE INDEX stickerByName ON sticker (name, track);
        CREATE TRIGGER trackDeleted AFTER DELETE ON track BEGIN DELETE FROM sticker WHERE track = old.id; END;
        """

    /// Full text indexes without texts of their own, kept true by triggers.
    private static let searching =
        index("trackText", of: "track", ["title", "artist", "album", "albumArtist", "composer", "genre", "work"])
        + index("albumText", of: "album", ["title", "artist"]) + index("nameText", of: "name", ["name"])

    private static func index(_ name: String, of table: String, _ columns: [String]) -> String {
        let list = columns.joined(separator: ", ")
        let old = columns.map { "old.\($0)" }.joined(separator: ", ")
        let new = columns.map { "new.\($0)" }.joined(separator: ", ")
        let changed = columns.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
        let remove = "INSERT INTO \(name) (\(name), rowid, \(list)) VALUES ('delete', old.id, \(old));"
        let insert = "INSERT INTO \(name) (rowid, \(list)) VALUES (new.id, \(new));"
        return """
            CREATE VIRTUAL TABLE \(name) USING fts5(
                \(list), content='\(table)', content_rowid='id', tokenize='unicode61 remove_diacritics 2',
                prefix='1 2 3');
            CREATE TRIGGER \(name)Inserted AFTER INSERT ON \(table) BEGIN \(insert) END;
            CREATE TRIGGER \(name)Deleted AFTER DELETE ON \(table) BEGIN \(remove) END;
            CREATE TRIGGER \(name)Updated AFTER UPDATE OF \(list) ON \(table) WHEN \(changed)
            BEGIN \(remove) \(insert) END;

            """
    }

    /// The tables that are copied out of a damaged store, with what their rows are in order of.
    static let salvaged =
        ["root", "folder", "file", "part", "track", "album", "name"].map { (name: $0, order: "id") }
        + [(name: "credit", order: "name, track"), (name: "sticker", order: "track, name")]
}
