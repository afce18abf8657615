package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.header.Addresses;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.URI;

/** The URIs that applications proxy to. Functions; any thread. */
final class ProxyTargets {
    private ProxyTargets() {}

    /**
     * @throws IllegalArgumentException when one of them has a scheme that nothing is sent to
     */
    static List<Uri> of(List<? extends URI> uris) {
        List<Uri> targets = new ArrayList<>(Objects.requireNonNull(uris, "uris").size());
        for (URI uri : uris) {
            targets.add(of(uri));
        }
        return targets;
    }

    static Uri of(URI uri) {
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
