package io.carillon.pojo.engine;

import io.carillon.pojo.Roles;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Which messages a handler takes. Immutable.
 *
 * @param methods SIP methods; empty: any
 * @param statuses of responses; null: it handles requests
 * @param undelivered only what the container answered itself because nobody could be reached
 * @param role of the SIP session; null: any
 * @param requestUri null: any
 * @param headers all have to hold
 */
record Criteria(
        Set<String> methods,
        @Nullable BitSet statuses,
        boolean undelivered,
        @Nullable String role,
        Part part,
        @Nullable UriPattern requestUri,
        List<HeaderCondition> headers) {

    /** Where in a session a request stands. */
    enum Part {
        ANY,
        INITIAL,
        IN_DIALOG
    }

    boolean ofResponses() {
        return statuses != null;
    }

    boolean takesMethod(String method) {
        return methods.isEmpty() || methods.contains(method);
    }

    /** Of a request whose method fits. */
    boolean matches(SipServletRequest request) {
        if (role != null && !role.equals(Roles.of(request.getSession(false)))) {
            return false;
        }
        if (part != Part.ANY && (part == Part.INITIAL) != request.isInitial()) {
            return false;
        }
        if (requestUri != null && !requestUri.matches(request.getRequestURI())) {
            return false;
        }
        for (int i = 0; i < headers.size(); i++) {
            if (!headers.get(i).holds(request)) {
                return false;
            }
        }
        return true;
    }

    /** Of a response whose method fits. */
    boolean matches(SipServletResponse response) {
        BitSet wanted = statuses;
        if (wanted == null || !wanted.get(response.getStatus())) {
            return false;
        }
        if (undelivered
                && (response.getRemoteAddr() != null || response.getProxyBranch() != null)) {
            return false; // a peer sent it; of a proxy's branches nobody can tell
        }
        if (role != null && !role.equals(Roles.of(response.getSession(false)))) {
            return false;
        }
        SipServletRequest request = response.getRequest();
        if (part != Part.ANY
                && (request == null || (part == Part.INITIAL) != request.isInitial())) {
            return false;
        }
        if (requestUri != null
                && (request == null || !requestUri.matches(request.getRequestURI()))) {
            return false;
        }
        for (int i = 0; i < headers.size(); i++) {
            if (!headers.get(i).holds(response)) {
                return false;
            }
        }
        return true;
    }

    /** Negative when this is more specific, 0 when both are alike: the order of SipHandler. */
    int compareSpecificity(Criteria other) {
        int order = Boolean.compare(role == null, other.role == null);
        if (order == 0) {
            order = Boolean.compare(methods.isEmpty(), other.methods.isEmpty());
        }
        if (order == 0) {
            order = Integer.compare(breadth(), other.breadth());
        }
        if (order == 0) {
            order = Boolean.compare(other.undelivered, undelivered);
        }
        if (order == 0) {
            order = Boolean.compare(part == Part.ANY, other.part == Part.ANY);
        }
        if (order == 0) {
            order = Integer.compare(other.uriLiterals(), uriLiterals());
        }
        if (order == 0) {
            order = Integer.compare(other.headers.size(), headers.size());
        }
        return order != 0 ? order : Integer.compare(other.headerLiterals(), headerLiterals());
    }

    private int breadth() {
        return statuses == null ? 0 : statuses.cardinality();
    }

    private int uriLiterals() {
        return requestUri == null ? -1 : requestUri.literals();
    }

    private int headerLiterals() {
        int sum = 0;
        for (HeaderCondition condition : headers) {
            sum += condition.literals();
        }
        return sum;
    }

    /** May there be a message that both take? */
    boolean overlaps(Criteria other) {
        if (ofResponses() != other.ofResponses()) {
            return false;
        }
        if (!methods.isEmpty()
                && !other.methods.isEmpty()
                && Collections.disjoint(methods, other.methods)) {
            return false;
        }
        if (statuses != null && other.statuses != null && !statuses.intersects(other.statuses)) {
            return false;
        }
        if (role != null && other.role != null && !role.equals(other.role)) {
            return false;
        }
        if (part != Part.ANY && other.part != Part.ANY && part != other.part) {
            return false;
        }
        if (requestUri != null
                && other.requestUri != null
                && !requestUri.overlaps(other.requestUri)) {
            return false;
        }
        for (HeaderCondition mine : headers) {
            for (HeaderCondition theirs : other.headers) {
                if (mine.excludes(theirs)) {
                    return false;
                }
            }
        }
        return true;
    }
}
