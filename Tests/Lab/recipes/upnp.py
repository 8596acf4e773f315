"""Has a UPnP renderer play an address: python3 upnp.py http://HOST:PORT URI"""

import sys
import time
import urllib.request
from xml.sax.saxutils import escape

renderer, uri = sys.argv[1:3]
SERVICE = "urn:schemas-upnp-org:service:AVTransport:1"


def ask(action, **values):
    fields = "".join(f"<{key}>{escape(str(value))}</{key}>" for key, value in {"InstanceID": 0, **values}.items())
    body = (
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"'
        ' s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:{action} xmlns:u="{SERVICE}">{fields}</u:{action}></s:Body></s:Envelope>'
    )
    request = urllib.request.Request(
        renderer + "/upnp/control/rendertransport1",
        body.encode(),
        {"Content-Type": 'text/xml; charset="utf-8"', "SOAPACTION": f'"{SERVICE}#{action}"'},
    )
    return urllib.request.urlopen(request, timeout=5).read().decode()


for _ in range(50):
    try:
        ask("GetTransportInfo")
        break
    except OSError:
        time.sleep(0.1)
ask("SetAVTransportURI", CurrentURI=uri, CurrentURIMetaData="")
ask("Play", Speed=1)
