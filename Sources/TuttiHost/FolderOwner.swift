import CLinux
import Glibc

/// What root makes in another user's folder belongs to that user: a service that runs as that user has to read it.
enum FolderOwner {
    /// Gives an open file or folder, which was just made in `folder`, to the owner of `folder`. Where that fails, the
    /// file stays root's, and its reader reports that.
    static func take(_ descriptor: Int32, madeIn folder: String) {
        var owner = stat()
        guard geteuid() == 0, stat(folder, &owner) == 0, owner.st_uid != 0 else { return }
        fchown(descriptor, owner.st_uid, owner.st_gid)
    }

    /// The same for a folder that was just made.
    static func take(folder path: String, madeIn parent: String) {
        guard geteuid() == 0 else { return }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        take(descriptor, madeIn: parent)
        close(descriptor)
    }
}
