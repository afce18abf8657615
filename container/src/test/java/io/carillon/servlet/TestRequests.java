package io.carillon.servlet;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.URI;

/** Stand-ins for API objects which answer the getters that they were given, and nothing else. */
public final class TestRequests {
    private TestRequests() {}

    /** An object of that interface; keys are method names, or "name(argument)". */
    public static <T> T stub(Class<T> type, Map<String, Object> answers) {
        Object proxy =
                Proxy.newProxyInstance(
                        TestRequests.class.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> {
                            if (arguments != null && arguments.length == 1) {
                                String call = method.getName() + "(" + arguments[0] + ")";
                                if (answers.containsKey(call)) {
                                    return answers.get(call);
                                }
                            }
                            if (answers.containsKey(method.getName())) {
                                return answers.get(method.getName());
                            }
                            return switch (method.getName()) {
                                case "hashCode" -> System.identityHashCode(self);
                                case "equals" -> self == arguments[0];
                                case "toString" -> type.getSimpleName();
                                default -> byType(method.getReturnType());
                            };
                        });
        return type.cast(proxy);
    }

    private static Object byType(Class<?> type) {
        if (type == int.class) {
            return 0;
        }
        if (type == boolean.class) {
            return false;
        }
        return type == java.util.ListIterator.class ? List.of().listIterator() : null;
    }

    public static SipURI sip(String user, String host, int port, Map<String, String> parameters) {
        Map<String, Object> answers = new HashMap<>();
        answers.put("getScheme", "sip");
        answers.put("isSipURI", true);
        answers.put("getUser", user);
        answers.put("getHost", host);
        answers.put("getPort", port);
        answers.put("getUserParam", parameters.get("user"));
        answers.put("getTransportParam", parameters.get("transport"));
        parameters.forEach((name, value) -> answers.put("getParameter(" + name + ")", value));
        answers.put("toString", "sip:" + user + "@" + host + (port > 0 ? ":" + port : ""));
        return stub(SipURI.class, answers);
    }

    public static TelURL tel(String number, boolean global) {
        return stub(
                TelURL.class,
                Map.of(
                        "getScheme",
                        "tel",
                        "getPhoneNumber",
                        number,
                        "isGlobal",
                        global,
                        "toString",
                        "tel:" + (global ? "+" : "") + number));
    }

    public static Address address(String displayName, URI uri) {
        return stub(
                Address.class,
                Map.of(
                        "getDisplayName",
                        displayName,
                        "getURI",
                        uri,
                        "toString",
                        "\"" + displayName + "\" <" + uri + ">"));
    }

    /** A request from the network: From alice@atlanta.example, To bob. */
    public static Map<String, Object> request(String method, URI uri) {
        Map<String, Object> answers = new HashMap<>();
        answers.put("getMethod", method);
        answers.put("getRequestURI", uri);
        answers.put("getFrom", address("Alice", sip("alice", "atlanta.example", -1, Map.of())));
        answers.put("getTo", address("Bob", sip("bob", "biloxi.example", 5070, Map.of())));
        answers.put("getInitialRemoteAddr", "192.0.2.1");
        answers.put(
                "toString",
                method + " " + uri + " SIP/2.0\r\nFrom: <sip:alice@atlanta.example>\r\n\r\n");
        return answers;
    }

    public static SipServletRequest of(Map<String, Object> answers) {
        return stub(SipServletRequest.class, answers);
    }

    /** The session of a request that an application of this container made. */
    public static SipSession sessionOf(String application) {
        SipApplicationSession session =
                stub(SipApplicationSession.class, Map.of("getApplicationName", application));
        return stub(SipSession.class, Map.of("getApplicationSession", session));
    }

    public static SipFactory factory() {
        return stub(SipFactory.class, Map.of());
    }

    public static TimerService timers() {
        return stub(TimerService.class, Map.of());
    }

    public static SipSessionsUtil sessionsUtil() {
        return stub(SipSessionsUtil.class, Map.of());
    }
}
