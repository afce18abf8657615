package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import org.jspecify.annotations.Nullable;

/**
 * A header field value with parameters that is no address: {@code field-value *(;name[=value])}.
 * Values of parameters are given without their quotes and quoted again where the grammar asks for
 * it (RFC 3261 25.1, gen-value). Owner: the turn.
 */
final class ServletParameterable extends LiveValue implements LiveElement {
    private String value;

    /** Name, raw value, name, raw value ...; null for a flag. Order of appearance. */
    private final List<@Nullable String> parameters;

    private ServletParameterable(
            String value, List<@Nullable String> parameters, Rights rights, @Nullable Owner owner) {
        super(rights, owner);
        this.value = value;
        this.parameters = parameters;
    }

    static ServletParameterable parse(String text, Rights rights, @Nullable Owner owner)
            throws ServletParseException {
        int end = HeaderElements.next(text, 0, ';');
        String value = text.substring(0, end).strip();
        if (value.isEmpty()) {
            throw new ServletParseException("header field value without a value");
        }
        List<@Nullable String> parameters = new ArrayList<>(4);
        while (end < text.length()) {
            int from = end + 1;
            end = HeaderElements.next(text, from, ';');
            int equal = text.indexOf('=', from);
            boolean flag = equal < 0 || equal > end;
            String name = text.substring(from, flag ? end : equal).strip();
            if (!Ascii.isToken(name)) {
                throw new ServletParseException("malformed parameter name");
            }
            parameters.add(name);
            parameters.add(flag ? null : text.substring(equal + 1, end).strip());
        }
        return new ServletParameterable(value, parameters, rights, owner);
    }

    @Override
    public String getValue() {
        return value;
    }

    @Override
    public void setValue(String value) {
        Objects.requireNonNull(value, "value");
        HeaderElements.refuseLineBreak(value);
        String text = value.strip();
        if (text.isEmpty() || HeaderElements.next(text, 0, ';') < text.length()) {
            throw new IllegalArgumentException(
                    "a field value is not empty and holds no parameters");
        }
        changingWhole();
        this.value = text;
    }

    @Override
    public @Nullable String getParameter(String key) {
        int at = find(Objects.requireNonNull(key, "key"));
        return at < 0 ? null : ParameterText.unquote(parameters.get(at + 1));
    }

    @Override
    public void setParameter(String name, @Nullable String value) {
        Objects.requireNonNull(name, "name");
        if (value == null) {
            removeParameter(name);
            return;
        }
        ParameterText.checkName(name);
        String raw = value.isEmpty() ? null : ParameterText.quote(value);
        changingParameter(name);
        int at = find(name);
        if (at >= 0) {
            parameters.set(at + 1, raw);
        } else {
            parameters.add(name);
            parameters.add(raw);
        }
    }

    @Override
    public void removeParameter(String name) {
        int at = find(Objects.requireNonNull(name, "name"));
        if (at >= 0) {
            changingParameter(name);
            parameters.remove(at + 1);
            parameters.remove(at);
        }
    }

    @Override
    public Iterator<String> getParameterNames() {
        List<String> names = new ArrayList<>(parameters.size() / 2);
        for (int i = 0; i < parameters.size(); i += 2) {
            names.add(name(i));
        }
        return Collections.unmodifiableList(names).iterator();
    }

    @Override
    public Set<Map.Entry<String, String>> getParameters() {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < parameters.size(); i += 2) {
            map.put(name(i), ParameterText.unquote(parameters.get(i + 1)));
        }
        return Collections.unmodifiableMap(map).entrySet();
    }

    private int find(String name) {
        for (int i = 0; i < parameters.size(); i += 2) {
            if (Ascii.equalsIgnoreCase(name(i), name)) {
                return i;
            }
        }
        return -1;
    }

    private String name(int at) {
        return Objects.requireNonNull(parameters.get(at));
    }

    @Override
    public String print() {
        if (parameters.isEmpty()) {
            return value;
        }
        StringBuilder out = new StringBuilder(value);
        for (int i = 0; i < parameters.size(); i += 2) {
            out.append(';').append(name(i));
            String raw = parameters.get(i + 1);
            if (raw != null) {
                out.append('=').append(raw);
            }
        }
        return out.toString();
    }

    @Override
    public ServletParameterable copyFor(Rights rights, @Nullable Owner owner) {
        return new ServletParameterable(value, new ArrayList<>(parameters), rights, owner);
    }

    @Override
    @SuppressWarnings(
            "MissingSuperClone") // the copy belongs to nobody, so it is made by the constructor
    public ServletParameterable clone() {
        return copyFor(Rights.FREE, null);
    }

    /**
     * RFC 3261 7.3.1: "field values, parameter names, and parameter values are case-insensitive";
     * order is free.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Parameterable that)
                || other instanceof ServletAddress
                || !Ascii.equalsIgnoreCase(value, that.getValue())) {
            return false;
        }
        int count = 0;
        for (Map.Entry<String, String> theirs : that.getParameters()) {
            String ours = getParameter(theirs.getKey());
            if (ours == null || !Ascii.equalsIgnoreCase(ours, theirs.getValue())) {
                return false;
            }
            count++;
        }
        return count == parameters.size() / 2;
    }

    @Override
    public int hashCode() {
        return Ascii.hashIgnoreCase(value);
    }

    @Override
    public String toString() {
        return print();
    }
}
