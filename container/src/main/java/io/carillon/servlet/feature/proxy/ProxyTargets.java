package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.header.Addresses;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.URI;

/** The targets that an application names: what a proxy can send to. Pure functions. */
final class ProxyTargets {
    private ProxyTargets() {}

    /** As {@link #target}, of each. */
    static List<Uri> all(List<? extends URI> uris) {
        List<Uri> targets = new ArrayList<>(Objects.requireNonNull(uris, "uris").size());
        for (URI uri : uris) {
            targets.add(target(uri));
        }
        return targets;
    }

    /**
     * @throws IllegalArgumentException for a scheme other than sip, sips and tel
     */
    static Uri target(URI uri) {
        Uri target = Addresses.toUri(Objects.requireNonNull(uri, "uri"));
        String scheme = target.scheme();
        if (!scheme.equalsIgnoreCase("sip")
                && !scheme.equalsIgnoreCase("sips")
                && !scheme.equalsIgnoreCase("tel")) {
            throw new IllegalArgumentException("cannot proxy to scheme " + scheme);
        }
        return target;
    }
}
