package io.carillon.servlet.feature.compose;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/** A proxy that notes what passes, with its own name. */
class Relay extends SipServlet {
    private final String name;
    private final List<String> events;
    final List<String> regions = new ArrayList<>();
    final List<String> sessionRegions = new ArrayList<>();
    final List<String> popped = new ArrayList<>();
    boolean recordRoute = true;
    @Nullable SipServletRequest invite;

    Relay(String name, List<String> events) {
        this.name = name;
        this.events = events;
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        events.add(name + " " + request.getMethod());
        if (request.isInitial() && !request.getMethod().equals("CANCEL")) {
            invite = request;
            regions.add(request.getRegion().getLabel() + " " + request.getSubscriberURI());
            SipSession session = request.getSession();
            sessionRegions.add(session.getRegion().getLabel() + " " + session.getSubscriberURI());
            Address last = request.getPoppedRoute();
            Address first = request.getInitialPoppedRoute();
            if (last != null && first != null) {
                popped.add(last.getURI() + " " + first.getURI());
            }
            initial(request);
        }
    }

    protected void initial(SipServletRequest request) throws ServletException, IOException {
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(recordRoute);
        proxy.proxyTo(request.getRequestURI());
    }

    @Override
    protected void doResponse(SipServletResponse response) {
        events.add(name + " " + response.getStatus());
    }
}
