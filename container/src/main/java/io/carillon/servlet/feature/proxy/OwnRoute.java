package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.header.Addresses;
import io.carillon.sip.uri.SipUri;
import javax.servlet.sip.SipURI;

/**
 * A Record-Route or Path URI of ours in the hands of an application, which may add parameters of
 * its own.
 */
final class OwnRoute {
    private final SipURI view;

    OwnRoute(SipUri start, Runnable beforeChange) {
        this.view = Addresses.recordRoute(start, beforeChange);
    }

    SipURI view() {
        return view;
    }

    SipUri value() {
        return (SipUri) Addresses.toUri(view);
    }
}
