package io.carillon.pojo.engine;

import io.carillon.pojo.AnyMethod;
import io.carillon.pojo.Call;
import io.carillon.pojo.ConnectionLost;
import io.carillon.pojo.InDialog;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Methods;
import io.carillon.pojo.NoAckReceived;
import io.carillon.pojo.NoPrackReceived;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.OnTimer;
import io.carillon.pojo.Plan;
import io.carillon.pojo.RequestUri;
import io.carillon.pojo.Role;
import io.carillon.pojo.SessionCreated;
import io.carillon.pojo.SessionDestroyed;
import io.carillon.pojo.SessionExpired;
import io.carillon.pojo.SessionReadyToInvalidate;
import io.carillon.pojo.SipMethod;
import io.carillon.pojo.Status;
import io.carillon.pojo.StatusClass;
import io.carillon.pojo.WithHeader;
import io.carillon.pojo.engine.Arguments.Occasion;
import io.carillon.pojo.engine.Criteria.Part;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/** Makes handlers of annotated methods, and says what is wrong with them. One thread. */
final class HandlerCompiler {
    /** Annotations that make a method a handler of an event. */
    static final Map<Class<? extends Annotation>, String> EVENTS =
            Map.of(
                    SessionCreated.class, "SessionCreated",
                    SessionDestroyed.class, "SessionDestroyed",
                    SessionExpired.class, "SessionExpired",
                    SessionReadyToInvalidate.class, "SessionReadyToInvalidate",
                    NoAckReceived.class, "NoAckReceived",
                    NoPrackReceived.class, "NoPrackReceived");

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final Set<String> UNANSWERED = Set.of("ACK", "CANCEL");

    private final Arguments arguments;

    /** Message handlers. */
    final List<Handler> messages = new ArrayList<>();

    /** Timer handlers by name. */
    final Map<String, Handler> timers = new HashMap<>();

    /**
     * Event handlers by annotation, with the kind of session behind a session event's: all of them
     * are told, in the order of their names.
     */
    final Map<String, List<Handler>> events = new HashMap<>();

    /** Whether a handler asks for its call. */
    boolean usesCalls;

    HandlerCompiler(ServletContext context) {
        this.arguments = new Arguments(context);
    }

    /**
     * Adds the handlers of a class.
     *
     * @throws HandlerException naming class, method and rule
     */
    void add(HandlerBean bean) throws HandlerException {
        boolean handles = false;
        for (Method method : methods(bean.type())) {
            if (isHandler(method)) {
                add(bean, method);
                handles = true;
            }
        }
        if (!handles) {
            throw new HandlerException(
                    bean.type().getName() + ": @SipHandler, but no method of it handles anything");
        }
    }

    /** Those of the class and what it inherits; what is overridden is left out. */
    private static List<Method> methods(Class<?> type) {
        Map<String, Method> bySignature = new LinkedHashMap<>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (!method.isSynthetic()) {
                    bySignature.putIfAbsent(signature(method), method);
                }
            }
        }
        for (Method method : type.getMethods()) {
            if (method.isDefault()) {
                bySignature.putIfAbsent(signature(method), method);
            }
        }
        return List.copyOf(bySignature.values());
    }

    private static String signature(Method method) {
        String name = method.getName() + Arrays.toString(method.getParameterTypes());
        // A private method is overridden by nobody.
        return Modifier.isPrivate(method.getModifiers())
                ? method.getDeclaringClass().getName() + '.' + name
                : name;
    }

    private static boolean isHandler(Method method) {
        for (Annotation annotation : method.getAnnotations()) {
            Class<? extends Annotation> type = annotation.annotationType();
            if (type.isAnnotationPresent(SipMethod.class)
                    || type.isAnnotationPresent(StatusClass.class)
                    || type == Methods.class
                    || type == AnyMethod.class
                    || type == Status.class
                    || type == ConnectionLost.class
                    || type == OnTimer.class
                    || EVENTS.containsKey(type)) {
                return true;
            }
        }
        return false;
    }

    private void add(HandlerBean bean, Method method) throws HandlerException {
        String label = bean.type().getName() + '.' + method.getName();
        try {
            compile(bean, method, label);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new HandlerException(label + ": " + e.getMessage(), e);
        }
    }

    private void compile(HandlerBean bean, Method method, String label) throws HandlerException {
        checkShape(bean, method);
        List<String> named = eventsOf(method);
        OnTimer timer = method.getAnnotation(OnTimer.class);
        boolean message = isMessageHandler(method);
        if (named.size() + (timer == null ? 0 : 1) + (message ? 1 : 0) != 1) {
            throw new IllegalArgumentException(
                    "handles either messages, or one kind of event, or timers");
        }
        if (message) {
            addMessageHandler(bean, method, label);
        } else if (timer != null) {
            Handler handler = handler(bean, method, label, Occasion.TIMER, null);
            refuseSecond(timers.put(timer.value(), handler), handler);
        } else {
            String event = named.getFirst();
            Occasion occasion = occasion(event, method);
            Handler handler = handler(bean, method, label, occasion, null);
            List<Handler> told =
                    events.computeIfAbsent(key(event, occasion), k -> new ArrayList<>());
            told.add(handler);
            told.sort(Comparator.comparing(Handler::label));
        }
    }

    private static void checkShape(HandlerBean bean, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers) || Modifier.isPrivate(modifiers)) {
            throw new IllegalArgumentException("a handler is neither static nor private");
        }
        if (Modifier.isAbstract(modifiers)) {
            throw new IllegalArgumentException("a handler is not abstract");
        }
        Object instance = bean.instance().get();
        if (Modifier.isFinal(modifiers) && instance.getClass() != bean.type()) {
            throw new IllegalArgumentException(
                    "a proxy stands around the class, and cannot pass a final method on");
        }
    }

    private static List<String> eventsOf(Method method) {
        List<String> found = new ArrayList<>();
        EVENTS.forEach((type, name) -> {
            if (method.isAnnotationPresent(type)) {
                found.add(name);
            }
        });
        return found;
    }

    private static boolean isMessageHandler(Method method) {
        return !methodsOf(method).isEmpty() || isAnyMethod(method) || statusesOf(method) != null;
    }

    private static boolean isAnyMethod(AnnotatedElement element) {
        return element.isAnnotationPresent(AnyMethod.class);
    }

    private void addMessageHandler(HandlerBean bean, Method method, String label)
            throws HandlerException {
        Set<String> methods = methodsOf(method);
        if (isAnyMethod(method) && !methods.isEmpty()) {
            throw new IllegalArgumentException("either @AnyMethod, or methods that are named");
        }
        BitSet statuses = statusesOf(method);
        boolean takesResponse =
                Arrays.asList(method.getParameterTypes()).contains(SipServletResponse.class);
        if (statuses == null && takesResponse) {
            statuses = new BitSet();
            statuses.set(100, 700);
        }
        Criteria criteria =
                new Criteria(
                        Set.copyOf(methods),
                        statuses,
                        method.isAnnotationPresent(ConnectionLost.class),
                        roleOf(bean.type(), method),
                        partOf(method),
                        uriOf(method),
                        headersOf(method));
        Occasion occasion = statuses == null ? Occasion.REQUEST : Occasion.RESPONSE;
        checkReturn(method, criteria, occasion);
        messages.add(handler(bean, method, label, occasion, criteria));
    }

    private static void checkReturn(Method method, Criteria criteria, Occasion occasion) {
        Class<?> type = method.getReturnType();
        if (type == void.class || Plan.class.isAssignableFrom(type)) {
            return;
        }
        if (occasion != Occasion.REQUEST) {
            throw new IllegalArgumentException(
                    "a handler of responses, timers or events returns nothing or a Plan, not "
                            + type.getName());
        }
        boolean answer =
                type == int.class
                        || type == Integer.class
                        || SipServletResponse.class.isAssignableFrom(type)
                        || type == Object.class;
        if (!answer) {
            throw new IllegalArgumentException(
                    "a handler of requests returns nothing, a status (int), a SipServletResponse"
                            + " or a Plan, not "
                            + type.getName());
        }
        if (!criteria.methods().isEmpty() && UNANSWERED.containsAll(criteria.methods())) {
            throw new IllegalArgumentException(
                    "nobody answers an ACK, and the container answers a CANCEL: return nothing");
        }
    }

    /** The methods that annotations name, sorted; empty where none does. */
    static Set<String> methodsOf(AnnotatedElement element) {
        Set<String> found = new TreeSet<>();
        for (Annotation annotation : element.getAnnotations()) {
            SipMethod named = annotation.annotationType().getAnnotation(SipMethod.class);
            if (named != null) {
                found.add(named.value());
            }
        }
        Methods several = element.getAnnotation(Methods.class);
        if (several != null) {
            if (several.value().length == 0) {
                throw new IllegalArgumentException("@Methods names none");
            }
            for (String name : several.value()) {
                if (name.isBlank() || !name.equals(name.strip())) {
                    throw new IllegalArgumentException("'" + name + "' is no SIP method");
                }
                found.add(name);
            }
        }
        return found;
    }

    /** The statuses that annotations name, or null where none does. */
    static @Nullable BitSet statusesOf(AnnotatedElement element) {
        BitSet found = null;
        for (Annotation annotation : element.getAnnotations()) {
            StatusClass range = annotation.annotationType().getAnnotation(StatusClass.class);
            if (range != null) {
                found = found == null ? new BitSet() : found;
                found.set(range.from(), range.to() + 1);
            }
        }
        Status named = element.getAnnotation(Status.class);
        if (named != null) {
            found = found == null ? new BitSet() : found;
            for (String text : named.value()) {
                set(found, text.strip());
            }
        }
        if (element.isAnnotationPresent(ConnectionLost.class)) {
            if (found != null) {
                throw new IllegalArgumentException("@ConnectionLost says its status itself");
            }
            found = new BitSet();
            found.set(SipServletResponse.SC_SERVICE_UNAVAILABLE);
        }
        return found;
    }

    private static void set(BitSet statuses, String text) {
        int dash = text.indexOf('-');
        try {
            int from = Integer.parseInt(dash < 0 ? text : text.substring(0, dash).strip());
            int to = dash < 0 ? from : Integer.parseInt(text.substring(dash + 1).strip());
            if (from < 100 || to > 699 || from > to) {
                throw new NumberFormatException(text);
            }
            statuses.set(from, to + 1);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "@Status(\""
                            + text
                            + "\") has to be a status of 100 to 699, or two with a dash",
                    e);
        }
    }

    private static @Nullable String roleOf(Class<?> type, Method method) {
        Role role = method.getAnnotation(Role.class);
        if (role == null) {
            role = type.getAnnotation(Role.class);
        }
        return role == null ? null : role.value();
    }

    private static Part partOf(Method method) {
        boolean initial = method.isAnnotationPresent(Initial.class);
        boolean inDialog = method.isAnnotationPresent(InDialog.class);
        if (initial && inDialog) {
            throw new IllegalArgumentException("either @Initial or @InDialog; without: both");
        }
        return initial ? Part.INITIAL : inDialog ? Part.IN_DIALOG : Part.ANY;
    }

    private static @Nullable UriPattern uriOf(Method method) {
        RequestUri uri = method.getAnnotation(RequestUri.class);
        return uri == null ? null : UriPattern.parse(uri.value());
    }

    private static List<HeaderCondition> headersOf(Method method) {
        List<HeaderCondition> found = new ArrayList<>();
        for (WithHeader header : method.getAnnotationsByType(WithHeader.class)) {
            found.add(HeaderCondition.parse(header.value()));
        }
        return List.copyOf(found);
    }

    private static Occasion occasion(String event, Method method) {
        if (event.startsWith("No")) {
            return Occasion.ERROR;
        }
        Set<Class<?>> types = new HashSet<>(Arrays.asList(method.getParameterTypes()));
        boolean ofSip = types.contains(SipSession.class);
        if (ofSip && event.equals("SessionExpired")) {
            throw new IllegalArgumentException(
                    "only application sessions expire: the parameter is a SipApplicationSession");
        }
        if (!ofSip && !types.contains(SipApplicationSession.class)) {
            throw new IllegalArgumentException(
                    "needs a parameter that says which session is meant: SipSession or"
                            + " SipApplicationSession");
        }
        return ofSip ? Occasion.SIP_SESSION_EVENT : Occasion.APPLICATION_SESSION_EVENT;
    }

    static String key(String event, Occasion occasion) {
        return event + ' ' + occasion;
    }

    private static void refuseSecond(@Nullable Handler before, Handler handler)
            throws HandlerException {
        if (before != null) {
            throw new HandlerException(
                    before.label()
                            + " and "
                            + handler.label()
                            + " handle the same timer equally well: only one of them can");
        }
    }

    private Handler handler(
            HandlerBean bean,
            Method method,
            String label,
            Occasion occasion,
            @Nullable Criteria criteria)
            throws HandlerException {
        if (criteria == null) {
            Class<?> type = method.getReturnType();
            if (type != void.class) {
                throw new IllegalArgumentException(
                        "a handler of timers or events returns nothing, not " + type.getName());
            }
        }
        for (Parameter parameter : method.getParameters()) {
            usesCalls |= parameter.getType() == Call.class;
        }
        return new Handler(
                label,
                criteria,
                bean.type().isAnnotationPresent(NonBlocking.class),
                bean.instance(),
                handle(bean.invocable().of(method)),
                arguments.of(method, occasion, label));
    }

    private static MethodHandle handle(Method method) {
        try {
            method.setAccessible(true);
            return LOOKUP.unreflect(method)
                    .asSpreader(Object[].class, method.getParameterCount())
                    .asType(MethodType.methodType(Object.class, Object.class, Object[].class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException("cannot be called: " + e.getMessage(), e);
        }
    }
}
