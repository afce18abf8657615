package io.carillon.servlet.header;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.uri.OpaqueUri;
import io.carillon.sip.uri.Uri;
import java.util.Collections;
import java.util.Iterator;
import javax.servlet.sip.ServletParseException;
import org.jspecify.annotations.Nullable;

/**
 * A URI of any other scheme. Its parameters are those of RFC 2396 3.3, at the end of the path and
 * before query and fragment; a scheme that uses the semicolon otherwise shows none. Owner: the
 * turn.
 */
final class ServletOpaqueUri extends ServletUri {
    private OpaqueUri value;

    ServletOpaqueUri(OpaqueUri value, Rights rights, @Nullable Owner owner) {
        super(rights, owner);
        this.value = value;
    }

    @Override
    public OpaqueUri value() {
        return value;
    }

    private int pathEnd() {
        String text = value.toString();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '?' || text.charAt(i) == '#') {
                return i;
            }
        }
        return text.length();
    }

    private @Nullable ServletParameterable path() {
        try {
            return ServletParameterable.parse(
                    value.toString().substring(0, pathEnd()), Rights.FREE, null);
        } catch (ServletParseException _) {
            // Semicolons that are no parameters: a legal URI of a scheme with rules of its own.
            return null;
        }
    }

    @Override
    @Nullable String parameter(String key) {
        ServletParameterable path = path();
        return path == null ? null : path.getParameter(key);
    }

    @Override
    void putParameter(String name, String text) {
        ServletParameterable path = path();
        if (path == null) {
            throw new IllegalArgumentException("this URI takes no parameters");
        }
        path.setParameter(name, text);
        replacePath(path);
    }

    @Override
    void dropParameter(String name) {
        ServletParameterable path = path();
        if (path != null) {
            path.removeParameter(name);
            replacePath(path);
        }
    }

    private void replacePath(ServletParameterable path) {
        String text = path.print() + value.toString().substring(pathEnd());
        try {
            value = (OpaqueUri) Uri.parse(text);
        } catch (SipParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public Iterator<String> getParameterNames() {
        ServletParameterable path = path();
        return path == null ? Collections.emptyIterator() : path.getParameterNames();
    }

    @Override
    public int hashCode() {
        return value.schemeSpecificPart().hashCode();
    }
}
