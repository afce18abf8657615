package io.carillon.examples.callforwarding;

import java.io.IOException;
import java.util.Collections;
import java.util.function.Predicate;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;

/**
 * Sends a call to where its callee wants it: always, or when the first try was busy, not answered
 * in time, or found no phone. It stays a proxy throughout: each try is a branch of its own, and the
 * caller hears of the last one's failure alone.
 */
public class CallForwardingServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final int LOOP_DETECTED = 482;
    private static final String CANCELLED = "cancelled";

    private transient Rules rules;
    private boolean recordRoute;
    private int mostDiversions;
    private transient Predicate<String> hosts = host -> true;

    @Override
    public void init() throws ServletException {
        rules = Rules.of(getServletContext());
        recordRoute = Boolean.parseBoolean(parameter("record-route", "true"));
        String limit = parameter("max-diversions", "5");
        if (!limit.matches("\\d{1,2}")) {
            throw new ServletException("max-diversions must be 0 to 99, not '" + limit + "'");
        }
        mostDiversions = Integer.parseInt(limit);
        hosts = hosts(parameter("hosts", "any"));
    }

    /**
     * At which hosts users have rules: at any, as where a proxy before this one names the hosts of
     * phones; or at those of the server alone, so that who calls a user at a host of his own does
     * not hear whom that user wants called.
     */
    @SuppressWarnings("unchecked") // as the container documents it
    private Predicate<String> hosts(String which) throws ServletException {
        if (which.equals("any")) {
            return host -> true;
        }
        Object own = getServletContext().getAttribute("io.carillon.own-host");
        if (!which.equals("own") || own == null) {
            throw new ServletException("hosts must be any or own, not '" + which + "'");
        }
        return (Predicate<String>) own;
    }

    private String parameter(String name, String otherwise) {
        String text = getServletContext().getInitParameter(name);
        return text == null ? otherwise : text.trim();
    }

    @Override
    protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
        if (!invite.isInitial()) {
            return; // the container forwards what belongs to a proxied call
        }
        if (invite.getHeader("Route") != null) {
            // A proxy of the caller's choice would hear where the callee wants his calls.
            invite.createResponse(SipServletResponse.SC_FORBIDDEN).send();
            return;
        }
        try {
            Proxy proxy = invite.getProxy();
            proxy.setRecordRoute(recordRoute);
            proxy.setParallel(false); // a time to ring for each try, not one for all
            if (invite.getRequestURI().isSipURI() && isOfRules((SipURI) invite.getRequestURI())) {
                firstTry(invite, proxy);
            } else {
                proxy.setSupervised(false);
                proxy.proxyTo(invite.getRequestURI());
            }
        } catch (ServletParseException e) {
            invite.createResponse(SipServletResponse.SC_BAD_REQUEST, "Bad History-Info").send();
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }

    private boolean isOfRules(SipURI called) {
        return hosts.test(called.getHost()) && rules.has(called);
    }

    private void firstTry(SipServletRequest invite, Proxy proxy)
            throws ServletException, IOException {
        History history = History.received(invite);
        Rules.Rule always = rule(proxy, history.current(), When.ALWAYS);
        if (always == null) {
            history.forward();
            start(proxy, history);
        } else if (!divert(proxy, history, always, true)) {
            // Nobody was called yet, so there is no other answer to give.
            invite.createResponse(LOOP_DETECTED).send();
        }
    }

    /**
     * The best answer of what was tried so far. A branch that is started here takes its place, and
     * the caller does not see it.
     */
    @Override
    protected void doErrorResponse(SipServletResponse response)
            throws ServletException, IOException {
        Proxy proxy = response.getProxy();
        When when = When.of(response.getStatus());
        boolean settled =
                !proxy.getOriginalRequest().isInitial() // a re-INVITE or a BYE failed
                        || response.getSession().getAttribute(CANCELLED) != null;
        if (settled || when == null) {
            return;
        }
        ProxyBranch branch = response.getProxyBranch();
        try {
            // RFC 7044 10.2: who did not answer in time is as one who said 408.
            int reason = when == When.NO_ANSWER ? 408 : response.getStatus();
            History history = History.failed(branch.getRequest(), reason);
            Rules.Rule rule = rule(proxy, history.current(), when);
            if (rule != null) {
                divert(proxy, history, rule, false);
            }
        } catch (TooManyHopsException e) {
            log("Too many hops for call " + response.getCallId());
        }
    }

    /** Who gave up waiting is not called by somebody else after all. */
    @Override
    protected void doCancel(SipServletRequest cancel) {
        cancel.getSession().setAttribute(CANCELLED, true);
    }

    /** Follows the rule, and those of each new callee who wants to be elsewhere always. */
    private boolean divert(Proxy proxy, History history, Rules.Rule rule, boolean firstBranch)
            throws ServletException {
        boolean first = firstBranch;
        for (Rules.Rule next = rule; next != null; first = false) {
            SipURI target = next.target(history.current());
            if (history.refuses(target, mostDiversions)) {
                return false;
            }
            history.divert(target, first);
            next = rule(proxy, target, When.ALWAYS);
        }
        start(proxy, history);
        return true;
    }

    /**
     * Rules are of the users of the host that was called; whoever else has a name alike has none.
     */
    private Rules.Rule rule(Proxy proxy, SipURI address, When when) {
        SipURI called = (SipURI) proxy.getOriginalRequest().getRequestURI();
        return address.getHost().equalsIgnoreCase(called.getHost())
                ? rules.find(address, when)
                : null;
    }

    private void start(Proxy proxy, History history) throws ServletException {
        SipURI target = history.current();
        ProxyBranch branch = proxy.createProxyBranches(Collections.singletonList(target)).get(0);
        history.writeTo(branch.getRequest());
        Rules.Rule ringing = rule(proxy, target, When.NO_ANSWER);
        if (ringing != null) {
            branch.setProxyBranchTimeout(ringing.seconds);
        }
        proxy.startProxy();
    }
}
