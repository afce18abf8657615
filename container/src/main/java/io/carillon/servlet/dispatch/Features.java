package io.carillon.servlet.dispatch;

import io.carillon.servlet.feature.b2bua.BackToBack;
import io.carillon.servlet.feature.compose.Composition;
import io.carillon.servlet.feature.flow.KeptFlows;
import io.carillon.servlet.feature.overload.HandlerLoads;
import io.carillon.servlet.feature.proxy.ProxyHost;
import io.carillon.servlet.feature.security.Security;

/** The features of a container, each of which is one for all applications. Immutable. */
public record Features(
        Composition composition,
        Security security,
        KeptFlows keptFlows,
        BackToBack backToBack,
        ProxyHost proxies,
        HandlerLoads handlerLoads) {}
