import Testing
import Tutti
