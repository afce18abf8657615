package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.TestRequests;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletContext;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionBindingEvent;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletMessage.HeaderForm;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionBindingEvent;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipApplicationRoutingRegionType;
import javax.servlet.sip.ar.SipRouteModifier;
import javax.servlet.sip.ar.SipTargetedRequestInfo;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.junit.jupiter.api.Test;

/** The classes that the API itself ships: applications and the container hold on to them. */
class ApiClassesTest {
    private final SipSession session = TestRequests.stub(SipSession.class, Map.of());
    private final SipApplicationSession application =
            TestRequests.stub(SipApplicationSession.class, Map.of());

    @Test
    @Proves(Proves.CONSTANTS)
    void constants_have_the_documented_values() throws Exception {
        List<String> found = new ArrayList<>();
        for (Member member : Member.all().values()) {
            if (member.constant()) {
                found.add(member.name() + " = " + ((Field) member.declaration()).get(null));
            }
        }
        assertThat(found).containsExactlyElementsOf(Proofs.lines("constants.txt"));
    }

    @Test
    @Proves({
        "SipServletMessage.HeaderForm#values()",
        "SipServletMessage.HeaderForm#valueOf(String)",
        "SipSession.State#values()",
        "SipSession.State#valueOf(String)",
        "SipApplicationSession.Protocol#values()",
        "SipApplicationSession.Protocol#valueOf(String)",
        "UAMode#values()",
        "UAMode#valueOf(String)",
    })
    void states_modes_and_forms_are_found_by_name_in_their_order() {
        assertThat(HeaderForm.values())
                .containsExactlyInAnyOrder(HeaderForm.COMPACT, HeaderForm.LONG, HeaderForm.DEFAULT);
        assertThat(HeaderForm.valueOf("LONG")).isSameAs(HeaderForm.LONG);
        assertThat(SipSession.State.values())
                .containsExactly(
                        SipSession.State.INITIAL,
                        SipSession.State.EARLY,
                        SipSession.State.CONFIRMED,
                        SipSession.State.TERMINATED);
        assertThat(SipSession.State.valueOf("EARLY")).isSameAs(SipSession.State.EARLY);
        assertThat(SipApplicationSession.Protocol.values())
                .containsExactlyInAnyOrder(
                        SipApplicationSession.Protocol.HTTP, SipApplicationSession.Protocol.SIP);
        assertThat(SipApplicationSession.Protocol.valueOf("SIP"))
                .isSameAs(SipApplicationSession.Protocol.SIP);
        assertThat(UAMode.values()).containsExactlyInAnyOrder(UAMode.UAC, UAMode.UAS);
        assertThat(UAMode.valueOf("UAS")).isSameAs(UAMode.UAS);
    }

    @Test
    @Proves({
        "ar.SipApplicationRoutingDirective#values()",
        "ar.SipApplicationRoutingDirective#valueOf(String)",
        "ar.SipApplicationRoutingRegionType#values()",
        "ar.SipApplicationRoutingRegionType#valueOf(String)",
        "ar.SipRouteModifier#values()",
        "ar.SipRouteModifier#valueOf(String)",
        "ar.SipTargetedRequestType#values()",
        "ar.SipTargetedRequestType#valueOf(String)",
    })
    void the_routers_directives_regions_and_modifiers_are_found_by_name() {
        for (SipApplicationRoutingDirective value : SipApplicationRoutingDirective.values()) {
            assertThat(SipApplicationRoutingDirective.valueOf(value.name())).isSameAs(value);
        }
        for (SipApplicationRoutingRegionType value : SipApplicationRoutingRegionType.values()) {
            assertThat(SipApplicationRoutingRegionType.valueOf(value.name())).isSameAs(value);
        }
        for (SipRouteModifier value : SipRouteModifier.values()) {
            assertThat(SipRouteModifier.valueOf(value.name())).isSameAs(value);
        }
        for (SipTargetedRequestType value : SipTargetedRequestType.values()) {
            assertThat(SipTargetedRequestType.valueOf(value.name())).isSameAs(value);
        }
    }

    @Test
    @Proves({
        "SipSessionEvent#SipSessionEvent(SipSession)",
        "SipSessionEvent#getSession()",
        "SipSessionBindingEvent#SipSessionBindingEvent(SipSession,String)",
        "SipSessionBindingEvent#getSession()",
        "SipSessionBindingEvent#getName()",
        "SipApplicationSessionEvent#SipApplicationSessionEvent(SipApplicationSession)",
        "SipApplicationSessionEvent#getApplicationSession()",
        "SipApplicationSessionBindingEvent#"
                + "SipApplicationSessionBindingEvent(SipApplicationSession,String)",
        "SipApplicationSessionBindingEvent#getApplicationSession()",
        "SipApplicationSessionBindingEvent#getName()",
    })
    void session_events_carry_their_session_and_the_attributes_name() {
        assertThat(new SipSessionEvent(session).getSession()).isSameAs(session);
        SipSessionBindingEvent bound = new SipSessionBindingEvent(session, "key");
        assertThat(bound.getSession()).isSameAs(session);
        assertThat(bound.getName()).isEqualTo("key");
        assertThat(new SipApplicationSessionEvent(application).getApplicationSession())
                .isSameAs(application);
        SipApplicationSessionBindingEvent kept =
                new SipApplicationSessionBindingEvent(application, "key");
        assertThat(kept.getApplicationSession()).isSameAs(application);
        assertThat(kept.getName()).isEqualTo("key");
    }

    @Test
    @Proves({
        "SipErrorEvent#SipErrorEvent(SipServletRequest,SipServletResponse)",
        "SipErrorEvent#getRequest()",
        "SipErrorEvent#getResponse()",
        "SipServletContextEvent#SipServletContextEvent(ServletContext,SipServlet)",
        "SipServletContextEvent#getSipServlet()",
        "SipServlet#SipServlet()",
    })
    void error_and_context_events_carry_what_they_are_about() {
        SipServletRequest request = TestRequests.of(Map.of());
        SipServletResponse response = TestRequests.stub(SipServletResponse.class, Map.of());
        SipErrorEvent error = new SipErrorEvent(request, response);
        assertThat(error.getRequest()).isSameAs(request);
        assertThat(error.getResponse()).isSameAs(response);
        SipServlet servlet = new SipServlet() {};
        ServletContext context = TestRequests.stub(ServletContext.class, Map.of());
        SipServletContextEvent event = new SipServletContextEvent(context, servlet);
        assertThat(event.getSipServlet()).isSameAs(servlet);
        assertThat(event.getServletContext()).isSameAs(context);
    }

    @Test
    @Proves({
        "Rel100Exception#Rel100Exception(int)",
        "Rel100Exception#getReason()",
        "Rel100Exception#getMessage()",
    })
    void a_refused_reliable_response_says_why() {
        Rel100Exception refused = new Rel100Exception(Rel100Exception.NOT_INVITE);
        assertThat(refused.getReason()).isEqualTo(Rel100Exception.NOT_INVITE);
        assertThat(refused.getMessage())
                .isNotBlank()
                .isNotEqualTo(new Rel100Exception(Rel100Exception.NO_REQ_SUPPORT).getMessage());
    }

    @Test
    @Proves({
        "ServletParseException#ServletParseException()",
        "ServletParseException#ServletParseException(String)",
        "ServletParseException#ServletParseException(Throwable)",
        "ServletParseException#ServletParseException(String,Throwable)",
        "TooManyHopsException#TooManyHopsException()",
        "TooManyHopsException#TooManyHopsException(String)",
        "TooManyHopsException#TooManyHopsException(Throwable)",
        "TooManyHopsException#TooManyHopsException(String,Throwable)",
    })
    void exceptions_keep_message_and_cause() {
        Exception cause = new IllegalStateException("cause");
        assertThat(new ServletParseException()).hasMessage(null);
        assertThat(new ServletParseException("x")).hasMessage("x");
        assertThat(new ServletParseException(cause).getRootCause()).isSameAs(cause);
        assertThat(new ServletParseException("x", cause).getRootCause()).isSameAs(cause);
        assertThat(new TooManyHopsException()).hasMessage(null);
        assertThat(new TooManyHopsException("x")).hasMessage("x");
        assertThat(new TooManyHopsException(cause).getRootCause()).isSameAs(cause);
        assertThat(new TooManyHopsException("x", cause).getRootCause()).isSameAs(cause);
    }

    @Test
    @Proves({
        "ar.SipApplicationRouterInfo#SipApplicationRouterInfo("
                + "String,SipApplicationRoutingRegion,String,String[],SipRouteModifier,Serializable)",
        "ar.SipApplicationRouterInfo#getNextApplicationName()",
        "ar.SipApplicationRouterInfo#getRoutingRegion()",
        "ar.SipApplicationRouterInfo#getSubscriberURI()",
        "ar.SipApplicationRouterInfo#getRoutes()",
        "ar.SipApplicationRouterInfo#getRouteModifier()",
        "ar.SipApplicationRouterInfo#getStateInfo()",
        "ar.SipTargetedRequestInfo#SipTargetedRequestInfo(SipTargetedRequestType,String)",
        "ar.SipTargetedRequestInfo#getType()",
        "ar.SipTargetedRequestInfo#getApplicationName()",
        "ar.SipApplicationRoutingRegion#"
                + "SipApplicationRoutingRegion(String,SipApplicationRoutingRegionType)",
        "ar.SipApplicationRoutingRegion#getLabel()",
        "ar.SipApplicationRoutingRegion#getType()",
        "ar.SipApplicationRoutingRegion#toString()",
    })
    void a_routers_decision_carries_application_region_subscriber_routes_and_state() {
        SipApplicationRoutingRegion region =
                new SipApplicationRoutingRegion("own", SipApplicationRoutingRegionType.TERMINATING);
        assertThat(region.getLabel()).isEqualTo("own");
        assertThat(region.getType()).isSameAs(SipApplicationRoutingRegionType.TERMINATING);
        assertThat(region.toString()).contains("own");
        SipApplicationRouterInfo info =
                new SipApplicationRouterInfo(
                        "next",
                        region,
                        "sip:bob@example.com",
                        new String[] {"sip:route.example"},
                        SipRouteModifier.ROUTE,
                        "state");
        assertThat(info.getNextApplicationName()).isEqualTo("next");
        assertThat(info.getRoutingRegion()).isSameAs(region);
        assertThat(info.getSubscriberURI()).isEqualTo("sip:bob@example.com");
        assertThat(info.getRoutes()).containsExactly("sip:route.example");
        assertThat(info.getRouteModifier()).isSameAs(SipRouteModifier.ROUTE);
        assertThat(info.getStateInfo()).isEqualTo("state");
        SipTargetedRequestInfo target =
                new SipTargetedRequestInfo(SipTargetedRequestType.JOIN, "conference");
        assertThat(target.getType()).isSameAs(SipTargetedRequestType.JOIN);
        assertThat(target.getApplicationName()).isEqualTo("conference");
    }
}
