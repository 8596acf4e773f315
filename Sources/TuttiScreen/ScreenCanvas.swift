import CSDL
import TuttiCore

/// SDL's window and renderer, and the textures in it.
final class ScreenCanvas {
    enum Event {
        case closed
        /// The refreshes may be others: another display or mode, a screen that was asleep.
        case otherDisplay
        /// What was drawn may be gone.
        case damaged
    }

    private struct Overlay {
        let image: VideoFrame
        let texture: PictureTexture
    }

    /// Drivers of OpenGL that draw with the processor: SDL's own does that with less.
    private static let softwareDrivers = ["llvmpipe", "softpipe", "swrast", "SWR"]
    /// Drivers whose windows are nowhere. Whoever names one by SDL's variable means it.
    private static let unseenDrivers = ["offscreen", "dummy", "evdev", "none"]
    /// Failures to make a renderer, one after the other, until it is given up.
    private static let patience = 3

    private let window: OpaquePointer
    private var renderer: OpaquePointer
    private var texture: PictureTexture?
    /// What the texture holds.
    private weak var uploaded: VideoFrame?
    private var overlays: [Overlay] = []
    private(set) var isVisible = true

    init(_ settings: ScreenSettings) throws(ScreenError) {
        SDL_SetMainReady()
        for (hint, value) in [
            (SDL_HINT_NO_SIGNAL_HANDLERS, "1"), (SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1"),
            // A picture then waits for one refresh, not two.
            (SDL_HINT_VIDEO_DOUBLE_BUFFER, "1"), (SDL_HINT_RENDER_SCALE_QUALITY, "linear"),
            // What SDL's own driver has drawn goes to the window as it is, not through OpenGL in software.
            (SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"), (SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0"),
            (SDL_HINT_APP_NAME, settings.title),
        ] { SDL_SetHint(hint, value) }
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { throw .unavailable(reason: Self.reason) }
        do throws(ScreenError) {
            try Self.checkDriver()
            window = try Self.open(settings)
        } catch {
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
            throw error
        }
        guard let renderer = Self.makeRenderer(window) else {
            let reason = Self.reason
            SDL_DestroyWindow(window)
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
            throw .unavailable(reason: reason)
        }
        self.renderer = renderer
        if settings.isFullScreen { SDL_ShowCursor(SDL_DISABLE) }
    }

    deinit {
        (texture, overlays) = (nil, [])
        SDL_DestroyRenderer(renderer)
        SDL_DestroyWindow(window)
        SDL_QuitSubSystem(SDL_INIT_VIDEO)
    }

    private static var reason: String { String(cString: SDL_GetError()) }

    /// SDL is content with memory that nobody sees, where there is nothing else.
    private static func checkDriver() throws(ScreenError) {
        let name = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? "none"
        guard unseenDrivers.contains(name), SDL_GetHint(SDL_HINT_VIDEODRIVER) == nil else { return }
        throw .unavailable(reason: "neither X11 nor Wayland nor KMS")
    }

    private static func open(_ settings: ScreenSettings) throws(ScreenError) -> OpaquePointer {
        let count = Int(SDL_GetNumVideoDisplays())
        guard count > 0 else { throw .unavailable(reason: reason) }
        let display = settings.display ?? 1
        guard (1...count).contains(display) else { throw .noDisplay(display, count: count) }
        let place =
            settings.display == nil && !settings.isFullScreen
            ? Int32(bitPattern: SDL_WINDOWPOS_UNDEFINED_MASK) : tutti_sdl_centered(Int32(display - 1))
        var flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        if settings.isFullScreen { flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue }
        let side = { (pixels: Int) in Int32(min(max(pixels, 16), 16_384)) }
        var bounds = SDL_Rect(x: 0, y: 0, w: side(settings.width), h: side(settings.height))
        // Without a window manager nobody else makes the window as large as the display.
        if settings.isFullScreen { _ = SDL_GetDisplayBounds(Int32(display - 1), &bounds) }
        guard let window = SDL_CreateWindow(settings.title, place, place, bounds.w, bounds.h, flags) else {
            throw .unavailable(reason: reason)
        }
        return window
    }

    /// A renderer whose swaps wait for the display, where the driver can.
    private static func makeRenderer(_ window: OpaquePointer) -> OpaquePointer? {
        // Not by SDL's flag: where the driver cannot, SDL would imitate it.
        if let renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_ACCELERATED.rawValue) {
            let driver = tutti_sdl_gl_renderer().map { String(cString: $0) } ?? ""
            // Whoever names one by SDL's variable means it.
            if SDL_GetHint(SDL_HINT_RENDER_DRIVER) != nil || !softwareDrivers.contains(where: driver.contains) {
                _ = SDL_GL_SetSwapInterval(1)
                return renderer
            }
            SDL_DestroyRenderer(renderer)
        }
        return SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
    }

    /// Refreshes in a second, as the display states; nil where it does not.
    var statedRate: Double? {
        var mode = SDL_DisplayMode()
        let display = SDL_GetWindowDisplayIndex(window)
        guard display >= 0, SDL_GetCurrentDisplayMode(display, &mode) == 0, mode.refresh_rate > 0 else { return nil }
        return Double(mode.refresh_rate)
    }

    /// What overlays lay on last.
    private(set) var areas: ScreenAreas?

    var allowsScreenSaver = true {
        didSet { if allowsScreenSaver { SDL_EnableScreenSaver() } else { SDL_DisableScreenSaver() } }
    }

    // MARK: Events

    /// What has happened to the window.
    func takeEvents() -> [Event] {
        var events: [Event] = []
        var event = SDL_Event()
        while events.count < 64, SDL_PollEvent(&event) != 0 {
            switch SDL_EventType(event.type) {
            case SDL_QUIT: events.append(.closed)
            case SDL_WINDOWEVENT: events += happened(SDL_WindowEventID(UInt32(event.window.event)))
            case SDL_DISPLAYEVENT: events += [.otherDisplay, .damaged]
            case SDL_RENDER_TARGETS_RESET: events.append(.damaged)
            case SDL_RENDER_DEVICE_RESET:
                forgetTextures()
                events += [.otherDisplay, .damaged]
            default: break
            }
        }
        return events
    }

    private func happened(_ event: SDL_WindowEventID) -> [Event] {
        switch event {
        case SDL_WINDOWEVENT_CLOSE: return [.closed]
        case SDL_WINDOWEVENT_HIDDEN, SDL_WINDOWEVENT_MINIMIZED:
            isVisible = false
            return []
        case SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_MAXIMIZED:
            defer { isVisible = true }
            return isVisible ? [.damaged] : [.otherDisplay, .damaged]
        case SDL_WINDOWEVENT_DISPLAY_CHANGED: return [.otherDisplay, .damaged]
        case SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_SIZE_CHANGED: return [.damaged]
        default: return []
        }
    }

    // MARK: Drawing

    /// Draws all anew; to be seen with `swap`.
    ///
    /// - Returns: false where the driver does not take the picture, which is then not seen.
    /// - Throws: `lost` where nothing can be drawn any longer.
    func draw(_ content: ScreenPictures.Content) throws(ScreenError) -> Bool {
        for _ in 0..<Self.patience {
            if let isWhole = attempt(content) { return isWhole }
            try makeAnew()
        }
        throw .lost(reason: Self.reason)
    }

    /// Nil where the renderer is broken.
    private func attempt(_ content: ScreenPictures.Content) -> Bool? {
        SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255)
        guard SDL_RenderClear(renderer) == 0, let window = size else { return nil }
        var (place, isWhole) = (window, true)
        if let picture = content.picture {
            place = .fitting(
                width: picture.width, height: picture.height, pixelAspectRatio: picture.pixelAspectRatio, in: window)
            isWhole = draw(picture, in: place)
        }
        areas = ScreenAreas(picture: place, window: window)
        keep(content.overlays)
        for overlay in content.overlays {
            guard let texture = texture(of: overlay.image) else { continue }
            let outer = overlay.place.frame == .picture ? place : window
            copy(texture, to: overlay.place.rectangle(in: outer))
        }
        // What SDL's own driver draws is to be drawn before the swap.
        return SDL_RenderFlush(renderer) == 0 ? isWhole : nil
    }

    /// The window's pixels; nil where the renderer does not know.
    private var size: PixelRectangle? {
        var (width, height): (Int32, Int32) = (0, 0)
        guard SDL_GetRendererOutputSize(renderer, &width, &height) == 0 else { return nil }
        return PixelRectangle(x: 0, y: 0, width: Int(width), height: Int(height))
    }

    private func draw(_ picture: VideoFrame, in place: PixelRectangle) -> Bool {
        if uploaded !== picture || texture == nil {
            let kind = PictureTexture.Kind(picture)
            if texture?.kind != kind { texture = PictureTexture(kind, renderer: renderer) }
            guard let texture, texture.upload(picture) else { return false }
            uploaded = picture
        }
        return texture.map { copy($0, to: place) } ?? false
    }

    @discardableResult
    private func copy(_ texture: PictureTexture, to place: PixelRectangle) -> Bool {
        var target = SDL_Rect(
            x: Int32(clamping: place.x), y: Int32(clamping: place.y), w: Int32(clamping: place.width),
            h: Int32(clamping: place.height))
        return SDL_RenderCopy(renderer, texture.texture, nil, &target) == 0
    }

    /// Drops the textures of images that are not seen.
    private func keep(_ shown: [ScreenOverlay]) {
        overlays.removeAll { overlay in !shown.contains { $0.image === overlay.image } }
    }

    private func texture(of image: VideoFrame) -> PictureTexture? {
        if let known = overlays.first(where: { $0.image === image }) { return known.texture }
        guard let texture = PictureTexture(PictureTexture.Kind(image), renderer: renderer), texture.upload(image)
        else { return nil }
        overlays.append(Overlay(image: image, texture: texture))
        return texture
    }

    private func forgetTextures() { (texture, uploaded, overlays) = (nil, nil, []) }

    private func makeAnew() throws(ScreenError) {
        forgetTextures()
        SDL_DestroyRenderer(renderer)
        guard let renderer = Self.makeRenderer(window) else { throw .lost(reason: Self.reason) }
        self.renderer = renderer
    }

    /// Hands over what was drawn; returns when the driver lets it.
    func swap() { SDL_RenderPresent(renderer) }
}
