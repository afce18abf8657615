package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.TestRequests;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;

/** The servlet that overrides nothing. */
class ServletDispatchTest {
    private final List<String> calls = new ArrayList<>();
    private final SipServlet plain = new SipServlet() {};

    private <T> T recording(Class<T> type, Map<String, Object> answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> {
                            String call =
                                    method.getName()
                                            + (arguments == null
                                                    ? "[]"
                                                    : Arrays.toString(arguments));
                            calls.add(call);
                            return answers.get(method.getName());
                        }));
    }

    private List<String> sentFor(String method) throws Exception {
        calls.clear();
        SipServletResponse response = recording(SipServletResponse.class, Map.of());
        SipServletRequest request =
                recording(
                        SipServletRequest.class,
                        Map.of("getMethod", method, "isInitial", true, "createResponse", response));
        plain.service(request, null);
        return calls.stream().filter(call -> call.startsWith("send")).toList();
    }

    @Test
    @Proves({
        "SipServlet#doInvite(SipServletRequest)",
        "SipServlet#doOptions(SipServletRequest)",
        "SipServlet#doBye(SipServletRequest)",
        "SipServlet#doRegister(SipServletRequest)",
        "SipServlet#doSubscribe(SipServletRequest)",
        "SipServlet#doNotify(SipServletRequest)",
        "SipServlet#doMessage(SipServletRequest)",
        "SipServlet#doInfo(SipServletRequest)",
        "SipServlet#doRefer(SipServletRequest)",
        "SipServlet#doPublish(SipServletRequest)",
        "SipServlet#doPrack(SipServletRequest)",
        "SipServlet#doRequest(SipServletRequest)",
        "SipServlet#service(ServletRequest,ServletResponse)",
    })
    void an_initial_request_that_no_method_overrides_is_refused() throws Exception {
        for (String method :
                List.of(
                        "INVITE",
                        "OPTIONS",
                        "BYE",
                        "REGISTER",
                        "SUBSCRIBE",
                        "NOTIFY",
                        "MESSAGE",
                        "INFO",
                        "REFER",
                        "PUBLISH",
                        "PRACK")) {
            assertThat(sentFor(method)).as(method).containsExactly("send[]");
        }
    }

    @Test
    @Proves({
        "SipServlet#doAck(SipServletRequest)",
        "SipServlet#doCancel(SipServletRequest)",
        "SipServlet#doUpdate(SipServletRequest)",
    })
    void ack_cancel_and_update_are_ignored_when_not_overridden() throws Exception {
        for (String method : List.of("ACK", "CANCEL", "UPDATE")) {
            assertThat(sentFor(method)).as(method).isEmpty();
        }
    }

    @Test
    @Proves({
        "SipServlet#doProvisionalResponse(SipServletResponse)",
        "SipServlet#doSuccessResponse(SipServletResponse)",
        "SipServlet#doRedirectResponse(SipServletResponse)",
        "SipServlet#doErrorResponse(SipServletResponse)",
        "SipServlet#doBranchResponse(SipServletResponse)",
    })
    void responses_that_no_method_overrides_are_ignored() throws Exception {
        for (int status : new int[] {180, 200, 302, 486}) {
            plain.service(
                    null,
                    recording(
                            SipServletResponse.class,
                            Map.of("getStatus", status, "isBranchResponse", false)));
        }
        plain.service(
                null,
                recording(
                        SipServletResponse.class,
                        Map.of("getStatus", 486, "isBranchResponse", true)));
        assertThat(calls).noneMatch(call -> call.startsWith("send"));
    }

    @Test
    @Proves("SipServlet#doResponse(SipServletResponse)")
    void responses_come_to_the_method_of_their_class() throws Exception {
        List<String> came = new ArrayList<>();
        SipServlet servlet =
                new SipServlet() {
                    @Override
                    protected void doProvisionalResponse(SipServletResponse response) {
                        came.add("1xx");
                    }

                    @Override
                    protected void doSuccessResponse(SipServletResponse response) {
                        came.add("2xx");
                    }

                    @Override
                    protected void doRedirectResponse(SipServletResponse response) {
                        came.add("3xx");
                    }

                    @Override
                    protected void doErrorResponse(SipServletResponse response) {
                        came.add("error");
                    }
                };
        for (int status : new int[] {183, 202, 305, 404, 503, 603}) {
            servlet.service(
                    null,
                    recording(
                            SipServletResponse.class,
                            Map.of("getStatus", status, "isBranchResponse", false)));
        }
        assertThat(came).containsExactly("1xx", "2xx", "3xx", "error", "error", "error");
    }

    @Test
    @Proves({"SipServlet#log(String)", "SipServlet#log(String,Throwable)"})
    void a_servlets_log_goes_to_its_context() throws Exception {
        ServletContext context = recording(ServletContext.class, Map.of());
        plain.init(TestRequests.stub(ServletConfig.class, Map.of("getServletContext", context)));
        Exception failure = new IllegalStateException("failure");
        calls.clear();
        plain.log("first");
        plain.log("second", failure);
        assertThat(calls).containsExactly("log[first]", "log[second, " + failure + "]");
    }
}
