/// Standard input, which can be read once.
struct StandardInput {
    /// Whether reading has begun.
    var isRead = false
    /// Whether it was an earlier process's.
    var isLost = false
}
