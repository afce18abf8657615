package io.carillon.pojo.engine;

import io.carillon.pojo.Plan;
import io.carillon.pojo.SipStatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/** Does what a handler's return value says. Stateless but for the factory; any thread. */
final class Outcomes {
    private final SipFactory factory;
    private final Bridging bridging;

    Outcomes(SipFactory factory, Bridging bridging) {
        this.factory = factory;
        this.bridging = bridging;
    }

    /** Of a request handler. */
    void apply(@Nullable Object result, SipServletRequest request)
            throws ServletException, IOException {
        switch (result) {
            case null -> {}
            case Integer status -> {
                // A handler of any method sees ACK and CANCEL too, which nobody here answers.
                if (!request.getMethod().equals("ACK") && !request.getMethod().equals("CANCEL")) {
                    respond(Plan.respond(status), request);
                }
            }
            case SipServletResponse response -> {
                if (!response.isCommitted()) {
                    response.send();
                }
            }
            case Plan plan -> apply(plan, request);
            default -> throw new IllegalStateException("no outcome: " + result.getClass());
        }
    }

    private void apply(Plan plan, SipServletRequest request) throws ServletException, IOException {
        switch (plan) {
            case Plan.Nothing _ -> {}
            case Plan.Respond response -> respond(response, request);
            case Plan.Proxy proxy -> proxy(proxy, request);
            case Plan.Bridge bridge ->
                    bridging.begin(
                            request,
                            bridge.target() == null
                                    ? request.getRequestURI()
                                    : uri(bridge.target()),
                            bridge.headers());
            case Plan.Relay _ -> {
                if (!bridging.relay(request)) {
                    throw new IllegalStateException("Plan.relay(): the call is not bridged");
                }
            }
        }
    }

    /** Of a response handler, which has nothing to answer. */
    void apply(@Nullable Object result, SipServletResponse response) throws IOException {
        switch (result) {
            case null -> {}
            case Plan.Nothing _ -> {}
            case Plan.Relay _ -> {
                if (!bridging.relay(response)) {
                    throw new IllegalStateException("Plan.relay(): the call is not bridged");
                }
            }
            default ->
                    throw new IllegalStateException(
                            "a response can be relayed, and nothing else: " + result);
        }
    }

    private static void respond(Plan.Respond plan, SipServletRequest request) throws IOException {
        SipServletResponse response =
                plan.reason() == null
                        ? request.createResponse(plan.status())
                        : request.createResponse(plan.status(), plan.reason());
        for (Map.Entry<String, String> header : plan.headers().entrySet()) {
            response.setHeader(header.getKey(), header.getValue());
        }
        if (plan.content() != null) {
            response.setContent(plan.content(), plan.contentType());
        }
        response.send();
    }

    /** The answer to a request whose handler ended by an exception that is an answer. */
    static void respond(SipStatusException answer, SipServletRequest request) throws IOException {
        Plan.Respond plan = Plan.respond(answer.status());
        String reason = answer.reason();
        respond(reason == null ? plan : plan.reason(reason), request);
    }

    static void respond(UnsuitableMessageException answer, SipServletRequest request)
            throws IOException {
        Plan.Respond plan = Plan.respond(answer.status()).reason(answer.reason());
        String accept = answer.accept();
        respond(accept == null ? plan : plan.header("Accept", accept), request);
    }

    private void proxy(Plan.Proxy plan, SipServletRequest request)
            throws ServletException, IOException {
        Proxy proxy;
        try {
            proxy = request.getProxy();
        } catch (TooManyHopsException e) {
            return; // the container has answered 483 (SIP Servlet 1.1 section 10.2.1)
        }
        proxy.setRecordRoute(plan.recordRoute());
        proxy.setSupervised(plan.supervised());
        proxy.setRecurse(plan.recurse());
        proxy.setParallel(plan.parallel());
        if (plan.timeoutSeconds() > 0) {
            proxy.setProxyTimeout(plan.timeoutSeconds());
        }
        if (plan.targets().isEmpty()) {
            proxy.proxyTo(request.getRequestURI());
        } else if (plan.targets().size() == 1) {
            proxy.proxyTo(uri(plan.targets().getFirst()));
        } else {
            List<URI> targets = new ArrayList<>();
            for (Object target : plan.targets()) {
                targets.add(uri(target));
            }
            proxy.proxyTo(targets);
        }
    }

    private URI uri(Object target) throws ServletException {
        return target instanceof URI uri ? uri : factory.createURI((String) target);
    }
}
