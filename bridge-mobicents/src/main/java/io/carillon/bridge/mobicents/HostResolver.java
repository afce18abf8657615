package io.carillon.bridge.mobicents;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.mobicents.javax.servlet.sip.dns.DNSResolver;

/**
 * What of Mobicents' DNS look-ups can be had without ENUM: addresses of names, by the system's
 * resolver. A look-up waits, as it does there. Any thread.
 */
final class HostResolver implements DNSResolver {
    /** Where applications look for it in their servlet context. */
    static final String ATTRIBUTE = "org.mobicents.servlet.sip.DNS_RESOLVER";

    private volatile int timeoutSeconds = 1;

    @Override
    public SipURI getSipURI(URI uri) {
        if (Objects.requireNonNull(uri, "uri") instanceof SipURI sip
                && !"phone".equalsIgnoreCase(sip.getUserParam())) {
            return sip;
        }
        throw new UnsupportedOperationException(
                "a telephone number cannot be looked up here (ENUM): " + uri);
    }

    /** Addresses in digits; none for a name that does not resolve. */
    @Override
    public Set<String> resolveHost(String host) {
        Set<String> addresses = new LinkedHashSet<>();
        try {
            for (InetAddress address :
                    InetAddress.getAllByName(Objects.requireNonNull(host, "host"))) {
                addresses.add(address.getHostAddress());
            }
        } catch (UnknownHostException e) {
            return Set.of(); // that is the answer
        }
        return addresses;
    }

    @Override
    public List<SipURI> locateURIs(SipURI uri) {
        throw new UnsupportedOperationException(
                "servers of a domain (RFC 3263) are found when a request is sent, not before: "
                        + uri);
    }

    /** Remembered, and without effect: the system's resolver has its own. */
    @Override
    public void setDnsTimeout(int seconds) {
        timeoutSeconds = seconds;
    }

    @Override
    public int getDnsTimeout() {
        return timeoutSeconds;
    }
}
