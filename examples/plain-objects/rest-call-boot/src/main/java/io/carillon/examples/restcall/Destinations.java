package io.carillon.examples.restcall;

import java.util.List;
import java.util.Locale;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipURI;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/**
 * Who may be called: hosts that the configuration names. A client is told whether a call went
 * through, and could otherwise look for open ports here and behind us. Immutable.
 */
@Component
class Destinations {
    /**
     * The properties {@code rest-call}.
     *
     * @param allowed hosts that may be called, at every port; {@code .example.com} stands for all
     *     below it
     */
    @ConfigurationProperties("rest-call")
    record Hosts(@DefaultValue({}) List<String> allowed) {
        boolean allow(String host) {
            String asked = host.toLowerCase(Locale.ROOT);
            return allowed.stream()
                    .map(one -> one.toLowerCase(Locale.ROOT))
                    .anyMatch(one -> one.startsWith(".") ? asked.endsWith(one) : asked.equals(one));
        }
    }

    private final SipFactory factory;
    private final Hosts hosts;

    Destinations(SipFactory factory, Hosts hosts) {
        this.factory = factory;
        this.hosts = hosts;
    }

    /**
     * Reads a URI, once: what was checked is what is called.
     *
     * @throws ResponseStatusException 400 where it is no SIP URI or has what would lead the call
     *     elsewhere than its host says, 403 where that may not be called
     */
    SipURI read(String name, String uri) {
        SipURI read = sip(name, uri);
        if (read.getMAddrParam() != null
                || read.getMethodParam() != null
                || read.getHeaderNames().hasNext()
                || read.getUserPassword() != null) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, name + " has maddr, method, password or headers");
        }
        if (!hosts.allow(read.getHost())) {
            throw new ResponseStatusException(
                    HttpStatus.FORBIDDEN,
                    "rest-call.allowed does not name the host of " + name + ", " + read.getHost());
        }
        return read;
    }

    private SipURI sip(String name, String uri) {
        try {
            if (uri != null && factory.createURI(uri) instanceof SipURI sip) {
                return sip;
            }
        } catch (ServletParseException e) {
            // answered as any other that is none
        }
        throw new ResponseStatusException(
                HttpStatus.BAD_REQUEST, name + " has to be a SIP URI such as sip:bob@example.com");
    }
}
