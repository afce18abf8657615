package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.dispatch.SipRequests;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The members of Mobicents' factory. Any thread. */
final class ExtendedFactory {
    private static final Logger LOG = LoggerFactory.getLogger(ExtendedFactory.class);

    private final SipRequests plain;
    private final Application application;
    private final AtomicBoolean routeOrphans = new AtomicBoolean();

    private ExtendedFactory(SipRequests plain, Application application) {
        this.plain = plain;
        this.application = application;
    }

    static SipFactory over(SipRequests plain, Application application) {
        ExtendedFactory own = new ExtendedFactory(plain, application);
        return Extension.over(
                plain,
                SipFactory.class,
                "org.mobicents.javax.servlet.sip.SipFactoryExt",
                Map.of(
                        // "Container managed" is about a lock that is not there: turns are taken.
                        "createApplicationSession/1", given -> plain.createApplicationSession(),
                        "createApplicationSessionByKey/2",
                                given -> plain.createApplicationSessionByKey((String) given[0]),
                        "createRequestWithCallID/5", own::request,
                        "isRouteOrphanRequests/0", given -> own.routeOrphans.get(),
                        "setRouteOrphanRequests/1", own::routeOrphans));
    }

    private Object request(Object[] given) throws ServletParseException {
        return plain.createRequest(
                (SipApplicationSession) given[0],
                (String) given[1],
                address(given[2]),
                address(given[3]),
                (String) given[4]);
    }

    private Address address(Object given) throws ServletParseException {
        return switch (given) {
            case Address address -> address;
            case URI uri -> plain.createAddress(uri);
            default -> plain.createAddress((String) given);
        };
    }

    private @Nullable Object routeOrphans(Object[] given) {
        boolean wanted = (Boolean) given[0];
        if (wanted && !routeOrphans.getAndSet(true)) {
            LOG.warn(
                    "application {}: setRouteOrphanRequests has no effect: requests of a call whose session was invalidated get 481",
                    application.name());
        } else {
            routeOrphans.set(wanted);
        }
        return null;
    }
}
