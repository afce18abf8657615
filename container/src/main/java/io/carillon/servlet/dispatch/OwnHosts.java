package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.security.Security;
import io.carillon.sip.shard.Shard;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which hosts of URIs are this server: the attribute {@value #ATTRIBUTE} of a servlet context, a
 * predicate of strings. True for an address of the server at whatever port, for a domain of {@code
 * sip.domains}, and for the realm of the application, as the gate takes them (RFC 3261 10.3 step
 * 5). It consists of types of the JDK only. Any thread; the answer costs two look-ups in tables.
 */
final class OwnHosts implements Predicate<String> {
    static final String ATTRIBUTE = "io.carillon.own-host";

    private final Application application;
    private final Security security;
    private final Supplier<Shard> shard;

    OwnHosts(Application application, Security security, Supplier<Shard> shard) {
        this.application = application;
        this.security = security;
        this.shard = shard;
    }

    /**
     * Is it one of ours?
     *
     * @param host as the URI prints it
     * @throws IllegalStateException before the server has started
     */
    @Override
    public boolean test(String host) {
        String named = application.description().security().realm();
        String realm = named == null ? security.realm() : named;
        return realm.equalsIgnoreCase(host) || shard.get().wire().isOwnHost(host);
    }
}
