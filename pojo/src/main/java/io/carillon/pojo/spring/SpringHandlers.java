package io.carillon.pojo.spring;

import io.carillon.pojo.SipHandler;
import io.carillon.pojo.engine.HandlerBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Finds the handler beans of a context that is refreshed. */
public final class SpringHandlers {
    private SpringHandlers() {}

    /**
     * Each bean whose class is annotated {@link SipHandler}: called through whatever proxy Spring
     * made of it.
     */
    public static List<HandlerBean> of(ConfigurableListableBeanFactory factory) {
        List<HandlerBean> found = new ArrayList<>();
        for (String name : factory.getBeanNamesForAnnotation(SipHandler.class)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                found.add(bean(factory, name));
            }
        }
        return found;
    }

    private static HandlerBean bean(ConfigurableListableBeanFactory factory, String name) {
        Object first = factory.getBean(name);
        Class<?> target = AutoProxyUtils.determineTargetClass(factory, name);
        Class<?> type =
                ClassUtils.getUserClass(target == null ? AopUtils.getTargetClass(first) : target);
        Supplier<Object> instance =
                factory.isSingleton(name) ? () -> first : () -> factory.getBean(name);
        Class<?> called = first.getClass();
        return new HandlerBean(
                type,
                instance,
                (Method written) -> AopUtils.selectInvocableMethod(written, called));
    }
}
