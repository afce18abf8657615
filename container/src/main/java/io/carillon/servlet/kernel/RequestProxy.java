package io.carillon.servlet.kernel;

import javax.servlet.sip.Proxy;

/** The proxy of a request, as the request knows it. */
public interface RequestProxy extends Proxy {}
