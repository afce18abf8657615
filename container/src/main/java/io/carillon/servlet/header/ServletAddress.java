package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.ListedParams;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Quoting;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * An address as applications see it: a mutable holder of an immutable {@link NameAddress}. The URI
 * handed out is live too; its value flows back when the address is read. Owner: the turn.
 */
public final class ServletAddress extends LiveValue implements Address, LiveElement {
    private static final String EXPIRES = "expires";
    private static final String Q = "q";
    private static final String TAG = "tag";

    private NameAddress value;
    private @Nullable ServletUri uri;

    public ServletAddress(NameAddress value, Rights rights, @Nullable Owner owner) {
        super(rights, owner);
        this.value = value;
    }

    /** The present value, changes of the handed out URI included. */
    @SuppressWarnings("ReferenceEquality") // values are immutable: another object is another value
    public NameAddress value() {
        ServletUri handedOut = uri;
        if (handedOut != null && handedOut.value() != value.uri()) {
            value = value.withUri(handedOut.value());
        }
        return value;
    }

    /** The container wrote another value: the objects handed out before are of the old one. */
    public void reset(NameAddress present) {
        value = present;
        uri = null;
    }

    @Override
    public boolean isWildcard() {
        return value.wildcard();
    }

    @Override
    public @Nullable String getDisplayName() {
        return value.displayName();
    }

    @Override
    public void setDisplayName(@Nullable String name) {
        refuseWildcard();
        NameAddress changed = value().withDisplayName(name == null || name.isEmpty() ? null : name);
        changingUser();
        value = changed;
    }

    @Override
    public @Nullable URI getURI() {
        if (value.wildcard()) {
            return null;
        }
        ServletUri handedOut = uri;
        if (handedOut == null) {
            handedOut = ServletUri.of(value.uri(), rights(), this);
            uri = handedOut;
        }
        return handedOut;
    }

    /** Takes a copy: the given object stays the application's. */
    @Override
    public void setURI(URI given) {
        Uri taken = Addresses.toUri(Objects.requireNonNull(given, "uri"));
        refuseWildcard();
        changingWhole();
        value = value.withUri(rights() == Rights.PARTY ? Addresses.forFromTo(taken) : taken);
        uri = null;
    }

    private void refuseWildcard() {
        if (value.wildcard()) {
            throw new IllegalStateException("the wildcard Contact has no parts");
        }
    }

    @Override
    public int getExpires() {
        String text = value.param(EXPIRES);
        if (text == null) {
            return -1;
        }
        long seconds = Ascii.parseDecimal(text, Integer.MAX_VALUE);
        return seconds == -2 ? Integer.MAX_VALUE : (int) seconds;
    }

    @Override
    public void setExpires(int seconds) {
        setParameter(EXPIRES, seconds < 0 ? null : Integer.toString(seconds));
    }

    @Override
    public float getQ() {
        String text = value.param(Q);
        int thousandths = text == null ? -1 : Quality.parse(text);
        return thousandths < 0 ? -1f : thousandths / 1000f;
    }

    @Override
    public void setQ(float q) {
        if (q == -1f) {
            removeParameter(Q);
            return;
        }
        if (!(q >= 0f && q <= 1f)) {
            throw new IllegalArgumentException("q is 0.0 to 1.0, or -1.0 for none");
        }
        setParameter(Q, Quality.print(Math.round(q * 1000f)));
    }

    @Override
    public @Nullable String getParameter(String key) {
        return value.param(Objects.requireNonNull(key, "key"));
    }

    @Override
    public void setParameter(String name, @Nullable String text) {
        Objects.requireNonNull(name, "name");
        if (text == null) {
            removeParameter(name);
            return;
        }
        refuseWildcard();
        ParameterText.checkName(name);
        HeaderElements.refuseLineBreak(text);
        changingParameter(name);
        value =
                Quoting.isQuoted(text)
                        ? value().withQuotedParam(name, text)
                        : value().withParam(name, ParameterText.unquote(text));
    }

    @Override
    public void removeParameter(String name) {
        if (value.param(Objects.requireNonNull(name, "name")) != null) {
            changingParameter(name);
            value = value().withoutParam(name);
        }
    }

    @Override
    public Iterator<String> getParameterNames() {
        ListedParams params = value.params().listed();
        List<String> names = new ArrayList<>(params.size());
        for (int i = 0; i < params.size(); i++) {
            names.add(params.name(i));
        }
        return Collections.unmodifiableList(names).iterator();
    }

    @Override
    public Set<Map.Entry<String, String>> getParameters() {
        Map<String, String> map = new LinkedHashMap<>();
        ListedParams params = value.params().listed();
        for (int i = 0; i < params.size(); i++) {
            map.put(params.name(i), params.value(i));
        }
        return Collections.unmodifiableMap(map).entrySet();
    }

    /** The value without its parameters. */
    @Override
    public String getValue() {
        return value().withoutParams().toString();
    }

    /** Display name and URI from text; the parameters stay. */
    @Override
    public void setValue(String text) {
        NameAddress parsed;
        try {
            parsed = Addresses.parse(Objects.requireNonNull(text, "value"));
        } catch (ServletParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (parsed.wildcard() || parsed.params().size() > 0) {
            throw new IllegalArgumentException("a field value is an address without parameters");
        }
        refuseWildcard();
        changingWhole();
        Uri taken = parsed.uri();
        value =
                value.withUri(rights() == Rights.PARTY ? Addresses.forFromTo(taken) : taken)
                        .withDisplayName(parsed.displayName());
        uri = null;
    }

    @Override
    public String print() {
        return value().toString();
    }

    @Override
    public ServletAddress copyFor(Rights rights, @Nullable Owner owner) {
        return new ServletAddress(value(), rights, owner);
    }

    /** A free copy without the tag, fit for a new request. */
    @Override
    @SuppressWarnings(
            "MissingSuperClone") // the copy belongs to nobody, so it is made by the constructor
    public ServletAddress clone() {
        return new ServletAddress(value().withoutParam(TAG), Rights.FREE, null);
    }

    /**
     * URIs by their own rule; parameters as URI parameters (RFC 3261 19.1.4): one that stands in
     * both must match, one that stands in only one does not count. The display name does not count.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Address that) || isWildcard() != that.isWildcard()) {
            return false;
        }
        return isWildcard()
                || (value().uri().matches(Addresses.toUri(that.getURI())) && sameParameters(that));
    }

    private boolean sameParameters(Address that) {
        ListedParams params = value.params().listed();
        for (int i = 0; i < params.size(); i++) {
            String theirs = that.getParameter(params.name(i));
            if (theirs != null && !Ascii.equalsIgnoreCase(params.value(i), theirs)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        URI handedOut = getURI();
        return handedOut == null ? 0 : handedOut.hashCode();
    }

    @Override
    public String toString() {
        return print();
    }
}
