package io.carillon.examples.registrar;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.URI;
import javax.sql.DataSource;

/**
 * Sends a request for an address of record to all of its user agents at once, and to each of them
 * by one way after the other until one is whole (RFC 5626 section 7). A GRUU leads to one user
 * agent (RFC 5627 section 6.1).
 */
public class LocationServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final int FLOW_FAILED = 430;
    private static final String WAITING = "waiting";

    /** To the container: the caller's digest is no proof for what a callee has registered. */
    private static final String OTHERS_TARGETS = "io.carillon.targets-of-others";

    @Resource private transient DataSource database;
    @Resource private transient SipFactory factory;
    private transient Bindings bindings;
    private transient Gruus gruus;
    private transient ContactLimit limit;
    private transient OwnHosts own;

    /** A way to a user agent that is still to be tried, or is being tried. */
    private static final class Way {
        final String aor;
        final Binding binding;
        final boolean byFlow;

        Way(String aor, Binding binding, boolean byFlow) {
            this.aor = aor;
            this.binding = binding;
            this.byFlow = byFlow;
        }
    }

    @Override
    public void init() throws ServletException {
        limit = ContactLimit.of(getServletContext());
        own = OwnHosts.of(getServletContext());
        try {
            bindings = new Bindings(database);
            gruus = new Gruus(database);
        } catch (SQLException e) {
            throw new ServletException("bindings: " + e.getMessage(), e);
        }
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        try {
            if (request.getMethod().equals("CANCEL")) {
                return; // the container forwards what belongs to a proxied call
            }
            if (!request.isInitial() || request.getMethod().equals("ACK")) {
                toContact(request);
                return;
            }
            find(request);
        } catch (SQLTransientException e) {
            if (!request.getMethod().equals("ACK")) {
                Refused.forNow(request).send();
            }
        } catch (SQLException e) {
            log("bindings for " + request.getRequestURI() + ": " + e.getMessage());
            if (!request.getMethod().equals("ACK")) {
                request.createResponse(SipServletResponse.SC_SERVER_INTERNAL_ERROR).send();
            }
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }

    private void find(SipServletRequest request)
            throws SQLException, ServletException, IOException, TooManyHopsException {
        URI target = request.getRequestURI();
        if (request.getHeader("Route") != null) {
            // Where a phone is goes to that phone, not to a place that the sender has named.
            request.createResponse(SipServletResponse.SC_FORBIDDEN).send();
            return;
        }
        boolean gruu = isGruu(target);
        Gruus.Owner owner = gruu ? gruus.owner((SipURI) target) : null;
        String aor = gruu ? (owner == null ? null : owner.aor) : Binding.addressOfRecord(target);
        if (aor == null || !own.has(target)) {
            request.createResponse(SipServletResponse.SC_NOT_FOUND).send();
            return;
        }
        List<Binding> found = bindings.of(aor, System.currentTimeMillis());
        if (owner != null) {
            found.removeIf(one -> !one.instance.equalsIgnoreCase(owner.instance));
        }
        if (found.isEmpty()) {
            request.createResponse(SipServletResponse.SC_TEMPORARILY_UNAVAILABLE).send();
        } else {
            // Best first: those that were bound under a higher limit do not ring.
            int most = Math.min(found.size(), limit.most);
            fork(request, ways(aor, found.subList(0, most)));
        }
    }

    private static boolean isGruu(URI uri) {
        return uri.isSipURI() && ((SipURI) uri).getParameter("gr") != null;
    }

    /**
     * A request within a call to a GRUU: its Request-URI becomes the contact. RFC 5627 6.1: "the
     * "gr" URI parameter is not carried forward", and "the Path URI MUST be discarded".
     */
    private void toContact(SipServletRequest request) throws SQLException, ServletException {
        URI target = request.getRequestURI();
        Gruus.Owner owner = isGruu(target) && own.has(target) ? gruus.owner((SipURI) target) : null;
        if (owner == null) {
            return;
        }
        Binding newest = null;
        for (Binding one : bindings.of(owner.aor, System.currentTimeMillis())) {
            if (one.instance.equalsIgnoreCase(owner.instance)
                    && (newest == null || one.updatedAtMillis > newest.updatedAtMillis)) {
                newest = one;
            }
        }
        if (newest != null) {
            request.setRequestURI(factory.createURI(newest.contact));
        }
    }

    /** The ways to each user agent, the best first. */
    private static List<Deque<Way>> ways(String aor, List<Binding> found) {
        // RFC 5626 7: "The proxy MUST NOT populate the target set with more than one contact with
        // the same AOR and instance-id at a time."
        List<Binding> newestFirst = new ArrayList<>(found);
        newestFirst.sort((a, b) -> Long.compare(b.updatedAtMillis, a.updatedAtMillis));
        Map<String, Deque<Way>> byAgent = new LinkedHashMap<>();
        for (Binding one : newestFirst) {
            String agent = one.instance.isEmpty() ? one.key() : one.instance;
            Deque<Way> ways = byAgent.computeIfAbsent(agent, any -> new ArrayDeque<>(2));
            if (!one.flow.isEmpty()) {
                ways.add(new Way(aor, one, true));
            }
            if (one.flow.isEmpty() || (one.regId == 0 && !one.contact.contains(".invalid"))) {
                // A phone that does not know flows may listen where it says.
                ways.add(new Way(aor, one, false));
            }
        }
        return new ArrayList<>(byAgent.values());
    }

    private void fork(SipServletRequest request, List<Deque<Way>> agents)
            throws ServletException, TooManyHopsException {
        Proxy proxy = request.getProxy();
        proxy.setParallel(true);
        proxy.setRecordRoute(true);
        // Whoever has one way only needs nobody to look at its responses.
        proxy.setSupervised(
                agents.stream().anyMatch(ways -> ways.size() > 1 || ways.peek().byFlow));
        request.setAttribute(OTHERS_TARGETS, true);
        request.setAttribute(WAITING, new HashMap<ProxyBranch, Deque<Way>>());
        for (Deque<Way> ways : agents) {
            add(proxy, ways);
        }
        proxy.startProxy();
    }

    /** Adds a branch for the first of these ways. */
    private void add(Proxy proxy, Deque<Way> ways) throws ServletException {
        Way way = ways.peek();
        URI target = factory.createURI(way.binding.contact);
        for (ProxyBranch branch : proxy.createProxyBranches(List.of(target))) {
            SipServletRequest request = branch.getRequest();
            // RFC 3327 5.3: the path of the registration is the route of the request.
            List<String> path = way.binding.path;
            for (int hop = path.size() - 1; hop >= 0; hop--) {
                request.pushRoute(factory.createAddress(path.get(hop)));
            }
            if (way.byFlow) {
                request.pushRoute((SipURI) factory.createURI(way.binding.flow));
            }
            waiting(proxy).put(branch, ways);
        }
    }

    /** Null for a request within a call. */
    @SuppressWarnings("unchecked") // we have put it there
    private static Map<ProxyBranch, Deque<Way>> waiting(Proxy proxy) {
        return (Map<ProxyBranch, Deque<Way>>) proxy.getOriginalRequest().getAttribute(WAITING);
    }

    /**
     * RFC 5626 7: "If a request for a particular AOR and instance-id fails with a 430 (Flow Failed)
     * response, the proxy SHOULD replace the failed branch with another target".
     */
    @Override
    protected void doBranchResponse(SipServletResponse response)
            throws ServletException, IOException {
        int status = response.getStatus();
        Map<ProxyBranch, Deque<Way>> waiting = waiting(response.getProxy());
        Deque<Way> ways = waiting == null ? null : waiting.remove(response.getProxyBranch());
        if (ways == null || (status != FLOW_FAILED && status != 408)) {
            return; // the user agent has spoken
        }
        Way failed = ways.remove();
        if (status == FLOW_FAILED && failed.binding.regId != 0) {
            forget(failed);
        }
        if (!ways.isEmpty()) {
            add(response.getProxy(), ways);
            response.getProxy().startProxy();
        }
    }

    /**
     * RFC 5626 7: "the proxy MUST invalidate all the bindings in the target set that use that
     * flow".
     */
    private void forget(Way failed) throws ServletException {
        try {
            bindings.change(
                    failed.aor,
                    System.currentTimeMillis(),
                    before -> {
                        List<Binding> after = new ArrayList<>(before);
                        // Not what has been registered anew since.
                        after.removeIf(one ->
                                one.key().equals(failed.binding.key())
                                        && one.cseq == failed.binding.cseq
                                        && one.callId.equals(failed.binding.callId));
                        return after;
                    });
        } catch (SQLException e) {
            log("bindings of " + failed.aor + ": " + e.getMessage());
        }
    }

    /** RFC 5626 11.5: 430 is between proxies; to the caller the user agent is not to be had. */
    @Override
    protected void doErrorResponse(SipServletResponse response)
            throws ServletException, IOException {
        Proxy proxy = response.getProxy();
        SipServletRequest request = proxy == null ? null : proxy.getOriginalRequest();
        if (response.getStatus() == FLOW_FAILED && request != null && request.isInitial()) {
            request.createResponse(SipServletResponse.SC_TEMPORARILY_UNAVAILABLE).send();
        }
    }
}
