package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A proxy whose moves the test makes: alice calls, bob and carol can be reached. */
class ProxyMembersTest {
    private static final class Waiting extends SipServlet {
        final List<SipServletResponse> responses = new ArrayList<>();
        @Nullable SipServletRequest invite;

        @Override
        protected void doInvite(SipServletRequest request) {
            invite = request;
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            responses.add(response);
        }
    }

    private final Waiting servlet = new Waiting();
    private final Server server = Server.fresh(12);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final RawPeer carol = server.peer("10.0.0.4");

    private SipServletRequest received() {
        server.deploy(servlet, ExecutionMode.NON_BLOCKING);
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        server.run(Duration.ofMillis(50));
        return Objects.requireNonNull(servlet.invite);
    }

    private Proxy proxy() throws Exception {
        return received().getProxy();
    }

    private URI uri(String text) throws Exception {
        SipFactory factory =
                (SipFactory) servlet.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        return factory.createURI(text);
    }

    private URI bobsUri() throws Exception {
        return uri("sip:bob@10.0.0.3:5060");
    }

    private URI carolsUri() throws Exception {
        return uri("sip:carol@10.0.0.4:5060");
    }

    @Test
    @Proves({
        "Proxy#getOriginalRequest()",
        "Proxy#createProxyBranches(List)",
        "Proxy#getProxyBranches()",
        "Proxy#getProxyBranch(URI)",
        "Proxy#startProxy()",
        "ProxyBranch#getProxy()",
        "ProxyBranch#getRequest()",
        "ProxyBranch#isStarted()",
        "ProxyBranch#getResponse()",
        "SipServletResponse#getProxy()",
        "SipServletResponse#getProxyBranch()",
    })
    void branches_are_made_then_started_and_hold_their_request_and_response() throws Exception {
        Proxy proxy = proxy();
        assertThat(proxy.getOriginalRequest()).isSameAs(servlet.invite);
        List<ProxyBranch> branches = proxy.createProxyBranches(List.of(bobsUri(), carolsUri()));
        assertThat(branches).hasSize(2);
        assertThat(proxy.getProxyBranches()).isEqualTo(branches);
        ProxyBranch branch = proxy.getProxyBranch(bobsUri());
        assertThat(branch).isSameAs(branches.getFirst());
        assertThat(branch.getProxy()).isSameAs(proxy);
        assertThat(branch.isStarted()).isFalse();
        assertThat(branch.getRequest().getRequestURI()).isEqualTo(bobsUri());
        assertThat(branch.getResponse()).isNull();
        proxy.startProxy();
        SipRequest invite = bob.request("INVITE");
        carol.request("INVITE");
        assertThat(branch.isStarted()).isTrue();
        bob.respond(invite, 180, "b");
        alice.response(180);
        server.run(Duration.ofMillis(10));
        assertThat(branch.getResponse().getStatus()).isEqualTo(180);
        SipServletResponse ringing = servlet.responses.getFirst();
        assertThat(ringing.getProxy()).isSameAs(proxy);
        assertThat(ringing.getProxyBranch()).isSameAs(branch);
    }

    @Test
    @Proves({
        "Proxy#getRecurse()",
        "Proxy#setRecurse(boolean)",
        "Proxy#getParallel()",
        "Proxy#getSupervised()",
        "Proxy#setSupervised(boolean)",
        "Proxy#getAddToPath()",
        "Proxy#getRecordRoute()",
        "Proxy#setAddToPath(boolean)",
        "Proxy#getNoCancel()",
        "Proxy#setNoCancel(boolean)",
        "Proxy#getProxyTimeout()",
        "Proxy#setProxyTimeout(int)",
        "Proxy#getStateful()",
        "Proxy#setStateful(boolean)",
        "Proxy#getSequentialSearchTimeout()",
        "Proxy#setSequentialSearchTimeout(int)",
    })
    @SuppressWarnings("deprecation")
    void a_proxy_recurses_in_parallel_supervised_and_cancels_unless_told_otherwise()
            throws Exception {
        Proxy proxy = proxy();
        assertThat(proxy.getRecurse()).isTrue();
        assertThat(proxy.getParallel()).isTrue();
        assertThat(proxy.getSupervised()).isTrue();
        assertThat(proxy.getAddToPath()).isFalse();
        assertThat(proxy.getRecordRoute()).isFalse();
        assertThat(proxy.getNoCancel()).isFalse();
        assertThat(proxy.getProxyTimeout()).isPositive();
        proxy.setStateful(false);
        assertThat(proxy.getStateful()).isTrue();
        proxy.setRecurse(false);
        proxy.setParallel(false);
        proxy.setRecordRoute(true);
        proxy.setSupervised(false);
        proxy.setAddToPath(true);
        proxy.setNoCancel(true);
        proxy.setProxyTimeout(17);
        assertThat(proxy.getRecurse()).isFalse();
        assertThat(proxy.getParallel()).isFalse();
        assertThat(proxy.getRecordRoute()).isTrue();
        assertThat(proxy.getSupervised()).isFalse();
        assertThat(proxy.getAddToPath()).isTrue();
        assertThat(proxy.getNoCancel()).isTrue();
        assertThat(proxy.getProxyTimeout()).isEqualTo(17);
        proxy.setSequentialSearchTimeout(19);
        assertThat(proxy.getSequentialSearchTimeout()).isEqualTo(19);
        assertThatThrownBy(() -> proxy.setProxyTimeout(0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Proves({"Proxy#setParallel(boolean)", "Proxy#proxyTo(List)"})
    void a_sequential_proxy_tries_the_next_when_the_first_refuses() throws Exception {
        Proxy proxy = proxy();
        proxy.setParallel(false);
        proxy.proxyTo(List.of(bobsUri(), carolsUri()));
        SipRequest first = bob.request("INVITE");
        server.run(Duration.ofMillis(50));
        assertThat(carol.requests("INVITE")).isZero();
        bob.respond(first, 486, "b");
        SipRequest second = carol.request("INVITE");
        carol.respond(second, 200, "c");
        alice.response(200);
    }

    @Test
    @Proves({"Proxy#getRecordRouteURI()", "Proxy#getPathURI()"})
    void parameters_of_the_record_route_and_path_uris_leave() throws Exception {
        Proxy proxy = proxy();
        assertThatThrownBy(proxy::getRecordRouteURI).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(proxy::getPathURI).isInstanceOf(IllegalStateException.class);
        proxy.setRecordRoute(true);
        SipURI route = proxy.getRecordRouteURI();
        route.setParameter("own", "7");
        proxy.setAddToPath(true);
        proxy.getPathURI().setParameter("way", "8");
        assertThat(proxy.getPathURI().getParameter("way")).isEqualTo("8");
        proxy.proxyTo(bobsUri());
        assertThat(bob.request("INVITE").recordRoutes().getFirst().toString()).contains("own=7");
    }

    @Test
    @Proves("Proxy#cancel()")
    void cancel_ends_every_branch() throws Exception {
        Proxy proxy = proxy();
        proxy.proxyTo(List.of(bobsUri(), carolsUri()));
        bob.respond(bob.request("INVITE"), 180, "b");
        carol.respond(carol.request("INVITE"), 180, "c");
        server.run(Duration.ofMillis(50));
        proxy.cancel();
        bob.request("CANCEL");
        carol.request("CANCEL");
    }

    @Test
    @Proves("Proxy#cancel(String[],int[],String[])")
    void cancel_ends_every_branch_and_carries_the_reasons() throws Exception {
        Proxy proxy = proxy();
        proxy.proxyTo(List.of(bobsUri(), carolsUri()));
        bob.respond(bob.request("INVITE"), 180, "b");
        carol.respond(carol.request("INVITE"), 180, "c");
        server.run(Duration.ofMillis(50));
        proxy.cancel(new String[] {"SIP"}, new int[] {200}, new String[] {"elsewhere"});
        assertThat(bob.request("CANCEL").toString()).contains("Reason: SIP;cause=200");
        carol.request("CANCEL");
    }

    @Test
    @Proves("ProxyBranch#cancel()")
    void cancel_of_a_branch_leaves_the_others() throws Exception {
        Proxy proxy = proxy();
        proxy.proxyTo(List.of(bobsUri(), carolsUri()));
        bob.respond(bob.request("INVITE"), 180, "b");
        carol.respond(carol.request("INVITE"), 180, "c");
        server.run(Duration.ofMillis(50));
        proxy.getProxyBranch(bobsUri()).cancel();
        bob.request("CANCEL");
        assertThat(carol.requests("CANCEL")).isZero();
    }

    @Test
    @Proves("ProxyBranch#cancel(String[],int[],String[])")
    void cancel_of_a_branch_carries_the_reasons() throws Exception {
        Proxy proxy = proxy();
        proxy.proxyTo(bobsUri());
        bob.respond(bob.request("INVITE"), 180, "b");
        server.run(Duration.ofMillis(50));
        proxy.getProxyBranch(bobsUri())
                .cancel(new String[] {"SIP"}, new int[] {200}, new String[] {"elsewhere"});
        assertThat(bob.request("CANCEL").toString()).contains("Reason: SIP;cause=200");
    }

    @Test
    @Proves({
        "ProxyBranch#getRecurse()",
        "ProxyBranch#setRecurse(boolean)",
        "ProxyBranch#getRecordRoute()",
        "ProxyBranch#setRecordRoute(boolean)",
        "ProxyBranch#getRecordRouteURI()",
        "ProxyBranch#getAddToPath()",
        "ProxyBranch#setAddToPath(boolean)",
        "ProxyBranch#getPathURI()",
        "ProxyBranch#getProxyBranchTimeout()",
        "ProxyBranch#setProxyBranchTimeout(int)",
    })
    void a_branch_has_settings_of_its_own_until_it_is_started() throws Exception {
        Proxy proxy = proxy();
        ProxyBranch branch = proxy.createProxyBranches(List.of(bobsUri())).getFirst();
        assertThat(branch.getRecurse()).isTrue();
        branch.setRecurse(false);
        assertThat(branch.getRecurse()).isFalse();
        proxy.setProxyTimeout(17);
        assertThat(branch.getProxyBranchTimeout()).isEqualTo(17);
        branch.setProxyBranchTimeout(9);
        assertThat(branch.getProxyBranchTimeout()).isEqualTo(9);
        assertThat(branch.getAddToPath()).isFalse();
        branch.setAddToPath(true);
        assertThat(branch.getAddToPath()).isTrue();
        branch.getPathURI().setParameter("way", "8");
        assertThat(branch.getPathURI().getParameter("way")).isEqualTo("8");
        assertThat(branch.getRecordRoute()).isFalse();
        branch.setRecordRoute(true);
        assertThat(branch.getRecordRoute()).isTrue();
        branch.getRecordRouteURI().setParameter("own", "7");
        proxy.startProxy();
        assertThat(bob.request("INVITE").recordRoutes().getFirst().toString()).contains("own=7");
        assertThatThrownBy(() -> branch.setRecurse(true)).isInstanceOf(IllegalStateException.class);
    }

    /** Bob answers 302 with carol and dave. */
    private ProxyBranch redirected(Proxy proxy) throws Exception {
        proxy.proxyTo(bobsUri());
        bob.respond302(bob.request("INVITE"), "sip:carol@10.0.0.4:5060", "sip:dave@10.0.0.5:5060");
        return proxy.getProxyBranches().getFirst();
    }

    @Test
    @Proves("ProxyBranch#getRecursedProxyBranches()")
    void branches_of_a_redirect_are_below_their_branch_and_not_among_the_proxys() throws Exception {
        RawPeer dave = server.peer("10.0.0.5");
        Proxy proxy = proxy();
        ProxyBranch branch = redirected(proxy);
        assertThat(branch.getRecursedProxyBranches()).isEmpty();
        SipRequest tocarol = carol.request("INVITE");
        carol.respond(tocarol, 100, "");
        dave.respond(dave.request("INVITE"), 100, "");
        assertThat(proxy.getProxyBranches()).containsExactly(branch);
        ProxyBranch first = proxy.getProxyBranch(carolsUri());
        ProxyBranch second = proxy.getProxyBranch(uri("sip:dave@10.0.0.5:5060"));
        assertThat(branch.getRecursedProxyBranches()).containsExactly(first, second);
        assertThat(first.getRecursedProxyBranches()).isEmpty();
        carol.respond302(tocarol, "sip:erin@10.0.0.6:5060");
        server.peer("10.0.0.6").request("INVITE");
        assertThat(first.getRecursedProxyBranches())
                .containsExactly(proxy.getProxyBranch(uri("sip:erin@10.0.0.6:5060")));
        assertThat(branch.getRecursedProxyBranches()).containsExactly(first, second);
        assertThat(proxy.getProxyBranches()).containsExactly(branch);
    }

    @Test
    void cancel_of_a_branch_ends_those_that_came_of_its_redirect() throws Exception {
        RawPeer dave = server.peer("10.0.0.5");
        Proxy proxy = proxy();
        ProxyBranch branch = redirected(proxy);
        SipRequest toCarol = carol.request("INVITE");
        carol.respond(toCarol, 180, "c");
        SipRequest toDave = dave.request("INVITE");
        dave.respond(toDave, 180, "d");
        server.run(Duration.ofMillis(50));
        branch.cancel();
        carol.respond(carol.request("CANCEL"), 200, "c");
        dave.respond(dave.request("CANCEL"), 200, "d");
        // What was cancelled is not followed any more.
        carol.respond302(toCarol, "sip:erin@10.0.0.6:5060");
        dave.respond(toDave, 487, "d");
        RawPeer erin = server.peer("10.0.0.6");
        alice.response(180);
        alice.response(180);
        alice.response(302);
        assertThat(erin.requests("INVITE")).isZero();
        assertThatThrownBy(() -> proxy.getProxyBranch(carolsUri()).cancel())
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void the_time_out_of_a_branch_of_a_parallel_proxy_ends_this_branch_alone() throws Exception {
        Proxy proxy = proxy();
        proxy.setProxyTimeout(20);
        List<ProxyBranch> branches = proxy.createProxyBranches(List.of(bobsUri(), carolsUri()));
        branches.getFirst().setProxyBranchTimeout(5);
        proxy.startProxy();
        SipRequest toBob = bob.request("INVITE");
        SipRequest toCarol = carol.request("INVITE");
        bob.respond(toBob, 180, "b");
        carol.respond(toCarol, 180, "c");
        alice.response(180);
        alice.response(180);
        server.run(Duration.ofSeconds(6));
        bob.respond(bob.request("CANCEL"), 200, "b");
        bob.respond(toBob, 487, "b");
        server.run(Duration.ofSeconds(13));
        assertThat(carol.requests("CANCEL")).isZero();
        // The proxy still takes targets: only the branch was given up.
        RawPeer dave = server.peer("10.0.0.5");
        proxy.proxyTo(uri("sip:dave@10.0.0.5:5060"));
        dave.request("INVITE");
        server.run(Duration.ofSeconds(2));
        carol.respond(carol.request("CANCEL"), 200, "c");
        carol.respond(toCarol, 487, "c");
        alice.response(408);
    }

    @Test
    @Proves({"SipServletRequest#getProxy()", "SipServletRequest#getProxy(boolean)"})
    void a_request_has_one_proxy_from_when_it_was_asked_for() throws Exception {
        SipServletRequest request = received();
        assertThat(request.getProxy(false)).isNull();
        Proxy proxy = request.getProxy(true);
        assertThat(proxy).isNotNull();
        assertThat(request.getProxy()).isSameAs(proxy);
        assertThat(request.getProxy(false)).isSameAs(proxy);
        assertThat(proxy.getOriginalRequest()).isSameAs(request);
    }
}
