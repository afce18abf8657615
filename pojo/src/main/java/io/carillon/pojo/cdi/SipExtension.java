package io.carillon.pojo.cdi;

import io.carillon.pojo.Ack;
import io.carillon.pojo.AnyMethod;
import io.carillon.pojo.BranchResponse;
import io.carillon.pojo.Bye;
import io.carillon.pojo.CallScoped;
import io.carillon.pojo.Cancel;
import io.carillon.pojo.ErrorResponse;
import io.carillon.pojo.FinalResponse;
import io.carillon.pojo.InDialog;
import io.carillon.pojo.Info;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.Message;
import io.carillon.pojo.Notify;
import io.carillon.pojo.Options;
import io.carillon.pojo.Prack;
import io.carillon.pojo.ProvisionalResponse;
import io.carillon.pojo.Publish;
import io.carillon.pojo.RedirectResponse;
import io.carillon.pojo.Refer;
import io.carillon.pojo.Register;
import io.carillon.pojo.SipApplicationSessionScoped;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.SipSessionScoped;
import io.carillon.pojo.Subscribe;
import io.carillon.pojo.SuccessResponse;
import io.carillon.pojo.Update;
import io.carillon.pojo.current.CurrentObjects;
import io.carillon.pojo.engine.Scopes;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterTypeDiscovery;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ObserverMethod;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessObserverMethod;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerService;
import org.jspecify.annotations.Nullable;

/**
 * Makes a CDI container one of SIP: the method and response annotations are qualifiers of events,
 * {@link SipHandler} is a binding for interceptors around handlers, the scopes are there, and
 * SipFactory, TimerService, SipSessionsUtil, ServletContext, the sessions and the message in work
 * can be injected. Of the thread that starts the container; constant afterwards.
 */
public final class SipExtension implements Extension {
    static final List<Class<? extends Annotation>> METHODS =
            List.of(
                    Ack.class,
                    Bye.class,
                    Cancel.class,
                    Info.class,
                    Invite.class,
                    Message.class,
                    Notify.class,
                    Options.class,
                    Prack.class,
                    Publish.class,
                    Refer.class,
                    Register.class,
                    Subscribe.class,
                    Update.class);

    static final List<Class<? extends Annotation>> STATUSES =
            List.of(
                    ProvisionalResponse.class,
                    SuccessResponse.class,
                    RedirectResponse.class,
                    ErrorResponse.class,
                    FinalResponse.class);

    /** Handler classes of the archive that is being deployed; Weld may not find them by itself. */
    static final ScopedValue<Set<String>> FOUND = ScopedValue.newInstance();

    private final List<Bean<?>> handlers = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private boolean messageObservers;
    private boolean eventObservers;
    private boolean callScope;
    private volatile @Nullable ServletContext context;

    void before(@Observes BeforeBeanDiscovery event) {
        METHODS.forEach(event::addQualifier);
        STATUSES.forEach(event::addQualifier);
        event.addQualifier(Initial.class);
        event.addQualifier(InDialog.class);
        event.addQualifier(AnyMethod.class);
        event.addQualifier(BranchResponse.class);
        SessionEvents.KINDS.forEach(event::addQualifier);
        event.addInterceptorBinding(SipHandler.class);
        event.addScope(SipSessionScoped.class, true, false);
        event.addScope(SipApplicationSessionScoped.class, true, false);
        event.addScope(CallScoped.class, true, false);
    }

    <T> void handlerClass(
            @Observes @WithAnnotations(SipHandler.class) ProcessAnnotatedType<T> event,
            BeanManager manager) {
        Class<T> type = event.getAnnotatedType().getJavaClass();
        seen.add(type.getName());
        if (isHandler(type) && !hasScope(event, manager)) {
            event.configureAnnotatedType().add(Literals.of(Singleton.class));
        }
    }

    private static boolean isHandler(Class<?> type) {
        return type.isAnnotationPresent(SipHandler.class)
                && !type.isAnnotationPresent(Interceptor.class);
    }

    private static boolean hasScope(ProcessAnnotatedType<?> event, BeanManager manager) {
        for (Annotation annotation : event.getAnnotatedType().getAnnotations()) {
            if (manager.isScope(annotation.annotationType())) {
                return true;
            }
        }
        return false;
    }

    void undiscovered(@Observes AfterTypeDiscovery event) throws ClassNotFoundException {
        if (!FOUND.isBound()) {
            return;
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        for (String name : FOUND.get()) {
            if (!seen.contains(name)) {
                Class<?> type = Class.forName(name, false, loader);
                if (isHandler(type)) {
                    event.addAnnotatedType(type, name).add(Literals.of(Singleton.class));
                }
            }
        }
    }

    <T> void managedBean(@Observes ProcessManagedBean<T> event) {
        Bean<T> bean = event.getBean();
        if (isHandler(event.getAnnotatedBeanClass().getJavaClass())) {
            handlers.add(bean);
        }
        callScope |= bean.getScope() == CallScoped.class;
    }

    <T, X> void observer(@Observes ProcessObserverMethod<T, X> event) {
        ObserverMethod<T> method = event.getObserverMethod();
        Type observed = method.getObservedType();
        messageObservers |=
                observed instanceof Class<?> type && SipServletMessage.class.isAssignableFrom(type);
        eventObservers |= SessionEvents.isObserver(method);
    }

    void beans(@Observes AfterBeanDiscovery event) {
        event.addContext(new CdiScope(SipSessionScoped.class, Scopes.SIP_SESSION));
        event.addContext(
                new CdiScope(SipApplicationSessionScoped.class, Scopes.APPLICATION_SESSION));
        event.addContext(new CdiScope(CallScoped.class, Scopes.CALL));
        offer(event, SipFactory.class, () -> attribute(SipFactory.class, SipServlet.SIP_FACTORY));
        offer(
                event,
                TimerService.class,
                () -> attribute(TimerService.class, SipServlet.TIMER_SERVICE));
        offer(
                event,
                SipSessionsUtil.class,
                () -> attribute(SipSessionsUtil.class, SipServlet.SIP_SESSIONS_UTIL));
        offer(event, ServletContext.class, this::context);
        CurrentObjects.ofMessages().forEach((type, object) -> add(event, type, object));
    }

    private static <T> void offer(AfterBeanDiscovery event, Class<T> type, Supplier<T> current) {
        add(event, type, CurrentObjects.standIn(type, current));
    }

    private static void add(AfterBeanDiscovery event, Class<?> type, Object object) {
        event.addBean()
                .id("carillon " + type.getName())
                .beanClass(SipExtension.class)
                .addTransitiveTypeClosure(type)
                .scope(Dependent.class)
                .produceWith(instance -> object);
    }

    private <T> T attribute(Class<T> type, String name) {
        return type.cast(Objects.requireNonNull(context().getAttribute(name), name));
    }

    private ServletContext context() {
        ServletContext started = context;
        if (started == null) {
            throw new IllegalStateException(
                    "SipFactory and its like can be used once the SIP application has started");
        }
        return started;
    }

    /** From now on what is injected works. */
    void started(ServletContext of) {
        context = of;
    }

    List<Bean<?>> handlers() {
        return handlers;
    }

    boolean hasMessageObservers() {
        return messageObservers;
    }

    boolean hasEventObservers() {
        return eventObservers;
    }

    boolean hasCallScope() {
        return callScope;
    }
}
