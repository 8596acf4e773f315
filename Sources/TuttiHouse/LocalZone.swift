import Glibc

/// This host's time zone and wall clock.
package enum LocalZone {
    /// How far local time is ahead of UTC at an instant, by `TZ` or `/etc/localtime` as they are now.
    package static let offset: Schedule.Zone = { time in
        // The zone may have been changed since.
        tzset()
        var instant = time_t(time)
        var local = tm()
        guard localtime_r(&instant, &local) != nil else { return 0 }
        return Int64(local.tm_gmtoff)
    }

    /// The wall clock, in seconds since 1970 UTC.
    package static let now: @Sendable () -> Double = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// An instant as people read it here: `Mon 2026-11-23 07:00`.
    package static func text(_ time: Double) -> String {
        guard let whole = Int64(exactly: time.rounded()) else { return "?" }
        tzset()
        var instant = time_t(whole)
        var local = tm()
        guard localtime_r(&instant, &local) != nil else { return "?" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, local.tm_sec == 0 ? "%a %F %R" : "%a %F %T", &local)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
