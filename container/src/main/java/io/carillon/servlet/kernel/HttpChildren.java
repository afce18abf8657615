package io.carillon.servlet.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP sessions of an application session. Changed with the turn held; read by any thread, as
 * pages of an application may ask.
 */
final class HttpChildren {
    /** Of nearly every application session; nothing is added to it. */
    static final HttpChildren NONE = new HttpChildren();

    /** In the order in which they came; as many as visitors have a URL with the session in it. */
    private final Set<HttpChild> children = Collections.synchronizedSet(new LinkedHashSet<>());

    /** Ids of those that were at the node which had the call before, and are not here yet. */
    private final Set<String> expected = Collections.synchronizedSet(new LinkedHashSet<>());

    /** Those to which others may be added, in place of these; with the turn held. */
    static HttpChildren toFill(HttpChildren now) {
        return now == NONE ? new HttpChildren() : now;
    }

    private List<HttpChild> now() {
        synchronized (children) {
            return List.copyOf(children);
        }
    }

    void add(HttpChild child) {
        children.add(child);
        if (!expected.isEmpty()) {
            expected.remove(child.session().getId());
        }
    }

    void remove(HttpChild child) {
        children.remove(child);
    }

    /** Those of other names no longer belong here. */
    void keepOnly(Set<String> ids) {
        children.removeIf(child -> !ids.contains(child.session().getId()));
    }

    /** Their next requests bring those of these names here. */
    void expect(Set<String> ids) {
        expected.addAll(ids);
        sessions().forEach(here -> expected.remove(here.getId()));
    }

    /** It is over. */
    void expectNot(String id) {
        expected.remove(id);
    }

    List<String> expected() {
        synchronized (expected) {
            return List.copyOf(expected);
        }
    }

    boolean isEmpty() {
        return children.isEmpty() && expected.isEmpty();
    }

    /** What the application sees of them, now. */
    List<HttpSession> sessions() {
        List<HttpSession> found = new ArrayList<>();
        for (HttpChild child : now()) {
            found.add(child.session());
        }
        return found;
    }

    @Nullable HttpSession find(String id) {
        for (HttpChild child : now()) {
            if (child.session().getId().equals(id)) {
                return child.session();
            }
        }
        return null;
    }

    /** The application session ends: so do they. */
    void invalidate() {
        for (HttpChild child : now()) {
            invalidate(child);
        }
    }

    /** Those without a request in progress end. */
    void invalidateIdle() {
        for (HttpChild child : now()) {
            if (!child.busy()) {
                invalidate(child);
            }
        }
    }

    private void invalidate(HttpChild child) {
        children.remove(child);
        try {
            child.session().invalidate();
        } catch (IllegalStateException alreadyOver) {
            // it ended by itself meanwhile, which is what is wanted
        }
    }
}
